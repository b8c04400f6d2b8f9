"""The collection of garbage around large imports."""

import gc

import pytest

from gateway.store.pauses import uncollected


def test_what_stays_is_never_looked_at() -> None:
    """Nothing is collected during the block; what it has allocated does not count afterwards."""
    before = gc.get_freeze_count()
    with uncollected():
        assert not gc.isenabled()
        kept = [[number] for number in range(1000)]
    assert gc.isenabled()
    assert gc.get_freeze_count() >= before + len(kept)
    gc.unfreeze()


def test_collections_go_on_after_an_error() -> None:
    """An import that fails leaves the collector as it was."""
    with pytest.raises(ImportError), uncollected():
        raise ImportError
    assert gc.isenabled()
    gc.unfreeze()
