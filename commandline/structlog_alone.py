"""structlog, imported without rich: it would load that, which takes 50 ms, to draw tracebacks.

The logs of this project have tracebacks of their own. Import this before anything imports structlog.
"""

import sys
from importlib import import_module
from typing import Any

_modules: dict[str, Any] = sys.modules

if "structlog" not in sys.modules and "rich" not in sys.modules:
    # Python takes a module that is None for one that is not installed.
    _modules["rich"] = None
    try:
        import_module("structlog")
    finally:
        del _modules["rich"]

import structlog  # noqa: E402
from structlog import dev  # noqa: E402
from structlog.typing import EventDict, Processor, WrappedLogger  # noqa: E402

__all__ = ["EventDict", "Processor", "WrappedLogger", "dev", "structlog"]
