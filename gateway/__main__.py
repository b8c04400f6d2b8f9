"""The gateway: python -m gateway."""

from commandline.launch import Installation, launch

if __name__ == "__main__":
    launch("gateway", "gateway.commands.main", Installation(extra="", target="run"))
