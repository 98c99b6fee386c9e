"""``python -m multideid`` is the command line."""

from __future__ import annotations

from multideid.cli import main

if __name__ == "__main__":
    main()
