"""Ours beside inspect_ai and promptfoo: the same requests to the same stand-in for a gateway (README.md in this folder)."""
