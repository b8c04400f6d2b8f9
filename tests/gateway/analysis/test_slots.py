"""The bound on analyses at once."""

import pytest

from gateway.analysis.slots import MOST, BusyError, Slots


@pytest.mark.parametrize("most", [1, MOST])
def test_a_slot_is_free_again_after_its_block(most: int) -> None:
    """One more than there are is refused; an error in a block frees its slot too."""
    slots = Slots(most)
    taken = [slots.taken() for _ in range(most)]
    for each in taken:
        each.__enter__()
    with pytest.raises(BusyError, match=f"^{most} analyses are running"), slots.taken():
        pass
    taken[0].__exit__(None, None, None)
    with pytest.raises(ZeroDivisionError), slots.taken():
        raise ZeroDivisionError
    with slots.taken():
        pass
