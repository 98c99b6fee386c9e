# The service, built without a network from wheels:
#
#   make wheels
#   docker build -t multideid .
#   docker run --rm -p 127.0.0.1:8000:8000 -e MULTIDEID_TOKEN multideid
#
# BASE must be the Python that the wheels were made for.
ARG BASE=python:3.12-slim

FROM ${BASE} AS build
COPY build/wheels /wheels
RUN python -m venv /opt/multideid
RUN /opt/multideid/bin/pip install --no-index --find-links /wheels --no-cache-dir "multideid[serve]"
# Compiled code is kept beside the package, which its user cannot change.
RUN echo "Seen by Dr. Lee." | /opt/multideid/bin/multideid deid -

FROM ${BASE}
COPY --from=build /opt/multideid /opt/multideid
USER 10001:10001
EXPOSE 8000
HEALTHCHECK --start-period=30s CMD ["/opt/multideid/bin/python", "-c", "import urllib.request as r; r.urlopen('http://127.0.0.1:8000/health', timeout=5)"]
ENTRYPOINT ["/opt/multideid/bin/multideid", "serve", "--host", "0.0.0.0"]
