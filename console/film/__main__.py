"""The process that makes one film for the console: python -m console.film.

It reads an order from its standard input, and writes the film to its standard output. If there is no film,
it writes the reason to the standard error and ends with 1.
"""

import os
import sys

import msgspec

from console.film.forms import FilmError, Order, made

_NICE = 10
"""The lower priority of a film, because searches and the record must not wait for it."""


def main() -> None:
    """Make the film."""
    os.nice(_NICE)
    order = msgspec.json.decode(sys.stdin.buffer.read(), type=Order)
    try:
        sys.stdout.buffer.write(made(order.game, order.film))
    except FilmError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
