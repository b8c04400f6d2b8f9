"""The processor time that a hypervisor took from this machine."""

from pathlib import Path


def stolen_ticks(statistics: Path = Path("/proc/stat")) -> int:
    """Return the stolen ticks, usually of 10 ms, during which a core had work but did not run.

    Return 0 on systems that don't count them. A theft of less than a tick is counted when it completes a
    tick, which may be later.
    """
    try:
        all_cores = statistics.read_text().splitlines()[0]
    except OSError:  # not Linux
        return 0
    return int(all_cores.split()[8])
