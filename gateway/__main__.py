"""The gateway: python -m gateway, or battlesnake-gateway where the package is installed."""

from battlesnake_search.common.launch import EXTRAS, launch


def main() -> None:
    """Run the command line."""
    launch("gateway", "gateway.commands.main", EXTRAS["gateway"])


if __name__ == "__main__":
    main()
