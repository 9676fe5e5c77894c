"""Nouns: what a row is, what a value may be, and the identifiers.

Never here: I/O, randomness drawn by itself, the clock, a verdict. Imports none of the other folders.
"""
