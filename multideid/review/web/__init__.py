"""The desk: a review in the browser, ``multideid review``. It needs the extra ``serve``."""
