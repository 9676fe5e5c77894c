"""Synthetic documents: what stands in them, drawn from a stream, before anything is typeset.

Everything here is invented (D-3, D-5). Vocabularies are the YAML files in `vocab/`.
"""
