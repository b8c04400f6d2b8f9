"""The names and addresses by which a machine reaches itself."""

import ipaddress


def is_loopback(host: str) -> bool:
    """Return whether a host name or an IP address is this machine's own."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
