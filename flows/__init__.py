"""Order: what happens after what, and the command line.

Never here: a loop with logic, I/O, a suite's name. Reaches data only through `tasks`.
"""
