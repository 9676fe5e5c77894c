"""Judgement: from case and answer to grades, one row per item and judge.

Never here: a model call, a mean or a median, the name of the system under test. Imports `schemas` only.
"""
