"""What a hypervisor took from this machine and gave to its neighbours."""

from pathlib import Path


def stolen(statistics: Path = Path("/proc/stat")) -> int:
    """For how many ticks, mostly of 10 ms, cores had work and weren't let; 0 where it's not counted.

    A moment shorter than a tick shows when it completes one, which may be later.
    """
    try:
        all_cores = statistics.read_text().splitlines()[0]
    except OSError:  # not Linux
        return 0
    return int(all_cores.split()[8])
