"""The gateway: python -m gateway, or battlesnake-gateway where the package is installed."""

from battlesnake_search.common.launch import INSTALLATIONS, launch


def main() -> None:
    """Run the command line."""
    launch("gateway", "gateway.commands.main", INSTALLATIONS["gateway"])


if __name__ == "__main__":
    main()
