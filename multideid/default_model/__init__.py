"""How the bundled model ``en-default`` was made and measured.

``python -m multideid.default_model --help`` tells how to do it again.

The corpora that it learned from are no part of the package.
"""
