"""Writes a trained net as a package, which the searcher discovers as a plug-in once it is installed."""

import re
from dataclasses import asdict
from pathlib import Path
from pprint import pformat
from typing import Any

import numpy as np
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from numpy.typing import NDArray

from arena.learning.nets.net import Net
from arena.learning.nets.training import DECIMALS
from searcher.engine.features.net_weights import FORMAT, digest_of
from searcher.engine.features.terms import Terms

_NAME = re.compile(r"[a-z][a-z0-9_]*")
_TEMPLATES = Path(__file__).parent / "template"
_WIDTH = 100


def check_name(name: str) -> None:
    """Raise ValueError if an evaluator's package can't have this name."""
    if not _NAME.fullmatch(name):
        raise ValueError(f"--name {name}: valid are small letters, digits and _, with a letter first")


def write_package(folder: Path, name: str, net: Net, licence: str) -> None:
    """Write the package of an evaluator. The files of a former net are replaced. Raises OSError."""
    module = f"battlesnake_{name}"
    package = folder / module
    package.mkdir(parents=True, exist_ok=True)
    templates = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        undefined=StrictUndefined,
        keep_trailing_newline=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    given = _given(name, module, net, licence)
    for template, path in (
        ("pyproject.toml.jinja", folder / "pyproject.toml"),
        ("README.md.jinja", folder / "README.md"),
        ("weights.py.jinja", package / "weights.py"),
        ("evaluator.py.jinja", package / "__init__.py"),
    ):
        new = path.with_name(f".{path.name}.new")
        new.write_text(templates.get_template(template).render(given), encoding="utf-8")
        new.replace(path)


def _given(name: str, module: str, net: Net, licence: str) -> dict[str, Any]:
    """Return what the templates name."""
    data = {
        "source": net.source,
        "games": net.games,
        "positions": net.positions,
        "players": sorted(net.players),
        **asdict(net.course),
        "unseen_loss": round(net.validation.loss, 5),
        "unseen_loss_of_linear": round(net.validation.former_loss, 5),
    }
    return {
        "name": name,
        "module": module,
        "description": f"A net of {len(net.layers.biases)} hidden units over the terms of a position.",
        "licence": licence,
        "format": FORMAT,
        "digest": digest_of(net.layers),
        "facts": data,
        "data": pformat(data, sort_dicts=False, width=_WIDTH),
        "terms": pformat(Terms._fields, width=_WIDTH),
        **{field: _text(value) for field, value in net.layers._asdict().items()},
    }


def _text(values: NDArray[np.float32]) -> str:
    """Return numbers as Python writes nested tuples."""
    if values.ndim == 0:
        return f"{values:.{DECIMALS}f}"
    return f"({', '.join(_text(value) for value in values)},)"
