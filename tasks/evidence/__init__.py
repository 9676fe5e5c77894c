"""The evidence of one page that a model generated: a trial in a process of its own, and what is measured on its pictures (A-1 to A-4, A-11).

The door is `tasks.browse`, the only module that imports Playwright; nothing here is imported from elsewhere. `trial` runs in the child
process; `process` starts, watches and ends it; `folder` turns what it left behind into the files of A-1. Never here: a verdict.
"""
