"""Messages that are nearly valid: bytes of a valid one that are flipped, cut, repeated or replaced."""

from random import Random

_LONGEST = 4096


def mutated(rng: Random, valid: bytes) -> bytes:
    """Return a message with one to four small changes."""
    changed = bytearray(valid)
    for _ in range(rng.randint(1, 4)):
        place = rng.randrange(len(changed) + 1)
        length = rng.randint(1, 8)
        kind = rng.randrange(4)
        if kind == 0:
            changed[place : place + length] = rng.randbytes(length)
        elif kind == 1:
            del changed[place : place + length]
        elif kind == 2:
            changed[place:place] = changed[place : place + length]
        else:
            del changed[place:]
    return bytes(changed)


def noise(rng: Random) -> bytes:
    """Return bytes that mean nothing."""
    return rng.randbytes(rng.randint(0, _LONGEST))
