"""Records of games as their JSON has them."""

import msgspec

from gateway.store.records import RootMove


def test_a_move_without_a_proof_has_no_end() -> None:
    """What a record leaves out are the defaults."""
    assert msgspec.json.decode(b'["up",0.5,3]', type=RootMove) == RootMove("up", 0.5, 3, "", 0)
