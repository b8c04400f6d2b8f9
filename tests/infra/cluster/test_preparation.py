"""The commands of the page that come before an overlay."""

import pytest

from infra.cluster.__main__ import OVERLAYS
from infra.cluster.errors import ClusterError
from infra.cluster.preparation import PAGE, code_for, commands

BLOCKS = "```sh\nhelm install a\nmake b YOUR-NAME\nkubectl apply -k c\n```\n\n```sh\nmake d\n```\n"


def test_lines_that_can_not_run_here_are_left_out() -> None:
    """Of the block that has the text."""
    assert list(commands(BLOCKS, "make b")) == ["make b reader"]


@pytest.mark.parametrize("mention", ["make", "make e"])
def test_a_text_belongs_to_one_block(mention: str) -> None:
    """Otherwise nobody would notice that the page has changed."""
    with pytest.raises(ClusterError, match=r"blocks of infra/kubernetes/README\.md"):
        list(commands(BLOCKS, mention))


@pytest.mark.parametrize("overlay", OVERLAYS)
def test_the_page_has_the_commands_for_every_overlay(overlay: str) -> None:
    """They make the namespace and the Secret without which gateways don't start."""
    code = "\n".join(code_for(PAGE.read_text(), overlay))
    assert "base/namespace.yaml" in code
    assert "gateway-admin-tokens" in code
    assert ("gateway-tls" in code or "$name-tls" in code) == (overlay == "mutual-tls")
    assert ("scaler-token" in code) == (overlay == "keda")
