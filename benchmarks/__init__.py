"""Speeds of the project, measured and printed with the machine's data; none is asserted. Run by `make bench`."""
