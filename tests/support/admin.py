"""A token for the admin side of gateways under test."""

from pathlib import Path

TOKENS = Path(__file__).parents[1] / "fixtures" / "admin-tokens.toml"

TOKEN = "tests.-h1LjPsXnlraGbARTiU4QPBqy-UQh1FEbE5zaR-iCyw"

HEADERS = {"Authorization": f"Bearer {TOKEN}"}

ENVIRONMENT = {"ADMIN": "none", "ADMIN_TOKENS": str(TOKENS), "PUBLIC_METRICS": "1"}
"""The variables of gateways with one port, which has the metrics too."""
