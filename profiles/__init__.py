"""Reading the grades: one answer becomes its profile, many profiles become tendencies, statistics and the report.

Never here: a new verdict, a raw reply, a prompt. Imports `schemas` only.
"""
