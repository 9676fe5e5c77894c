"""Rows at rest, and the making of new ones: the store, editions, generators, vocabularies, prompts to the systems under test.

Never here: the network, Prefect, an opinion about answers. Imports `schemas` only.
"""
