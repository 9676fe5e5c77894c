"""What all tests share: no test talks to a Prefect server or a store that is not its own."""

import os
import tempfile

from tasks.settings import be_quiet

os.environ.pop("PREFECT_API_URL", None)
os.environ["PREFECT_HOME"] = tempfile.mkdtemp(prefix="zkusebna-prefect-")
for _name in ("ZKUSEBNA_STORE", "ZKUSEBNA_PRIVATE_SEED", "ZKUSEBNA_SYSTEMS_FILE"):
    os.environ.pop(_name, None)
be_quiet()
