"""The report: one self-contained page in Czech and English, built from rows that may be shown.

Never here: a read of the store, a private row, a new number; every figure on the page is a row of `tendencies`.
"""
