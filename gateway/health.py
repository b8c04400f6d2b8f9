"""The health check of a container: python -m gateway.health exits with 0 if the gateway answers.

It calls the gateway on the port in PORT.
"""

import os
import sys

from battlesnake_search.common.launch import trim_environment
from battlesnake_search.ports.health import is_alive

_DEFAULT_PORT = 8000

if __name__ == "__main__":
    trim_environment()
    sys.exit(not is_alive(int(os.environ.get("PORT") or _DEFAULT_PORT)))
