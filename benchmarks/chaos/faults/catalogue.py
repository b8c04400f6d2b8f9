"""All faults by name, in the order of the table."""

from collections.abc import Mapping
from types import MappingProxyType

from benchmarks.chaos.faults import machine, network, processes, storage, tls
from benchmarks.chaos.faults.fault import Fault

_ALL = (Fault(), *network.FAULTS, *processes.FAULTS, *storage.FAULTS, *tls.FAULTS, *machine.FAULTS)

FAULTS: Mapping[str, Fault] = MappingProxyType({fault.name: fault for fault in _ALL})
