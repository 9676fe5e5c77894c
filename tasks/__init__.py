"""Effects: the five stages as Prefect tasks, and the doors to models, OCR and settings.

Never here: arithmetic on scores, or a branch on a suite's name. Imports everything but `flows`.
"""
