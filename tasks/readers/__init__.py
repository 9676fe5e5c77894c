"""The rules by which the baseline systems read documents: functions from a text to fields, no models and no network.

Each module `<task>.py` reads one kind of document; the rest are its parts. The rules are written from the conventions
of real documents; they know no template and no generator of this project, and must not: nothing here imports `datasets`.
"""
