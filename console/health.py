"""The health check of a container: python -m console.health exits with 0 if the console answers.

It calls the admin port in ADMIN.
"""

import os
import sys

from battlesnake_search.common.launch import trim_environment
from battlesnake_search.ports.health import is_alive

_DEFAULT_PORT = 8001

if __name__ == "__main__":
    trim_environment()
    address = os.environ.get("ADMIN", "")
    # Without an admin port nothing can be asked.
    sys.exit(address != "none" and not is_alive(int(address.rpartition(":")[2] or _DEFAULT_PORT)))
