"""De-identification over HTTP: ``multideid serve``. It needs the extra ``serve``."""
