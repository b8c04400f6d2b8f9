"""The credentials of the console's calls to searchers."""

from battlesnake_search.channels import Credentials
from battlesnake_search.contract import search_pb2
from console.searchers import Searchers
from tests.battlesnake_search.samples import deadlines_in
from tests.gateway import scripted_searcher
from tests.gateway.scripted_searcher import Context, ScriptedService


class _Noting(ScriptedService):
    """A searcher that notes the credentials of each call."""

    def __init__(self) -> None:
        super().__init__(self._answer)
        self.seen: list[str] = []

    def _answer(self, request: search_pb2.StreamSearchRequest, context: Context):  # type: ignore[no-untyped-def]
        metadata = dict(context.invocation_metadata() or ())
        self.seen.append(str(metadata.get("authorization", "")))
        return scripted_searcher.at_once(request, context)


async def test_only_configured_searchers_get_the_token() -> None:
    """A gateway that names an address learns no secret there, even if it names the configured one as well."""
    own, named = _Noting(), _Noting()
    async with (
        scripted_searcher.searcher(own) as first,
        scripted_searcher.searcher(named) as second,
        Searchers([first], Credentials(token="console.secret")) as searchers,
    ):
        searchers.name([second, first])
        assert searchers.addresses == (first, second)
        for address in searchers.addresses:
            request = search_pb2.StreamSearchRequest()
            assert (await searchers[address].search(request, deadlines_in(5.0, 5.0))).result
    assert own.seen == ["Bearer console.secret"]
    assert named.seen == [""]


async def test_the_addresses_of_a_hostile_gateway_are_bounded() -> None:
    """Texts that are no target are left out, and 256 others are used."""
    async with Searchers() as searchers:
        searchers.name(["http://a", "b", *(f"127.0.0.1:{port}" for port in range(1, 400))])
        assert searchers.addresses == tuple(f"127.0.0.1:{port}" for port in range(1, 257))


async def test_the_own_console_of_a_gateway_shows_the_token_to_all_of_its_searchers() -> None:
    """Only the gateway can reach this console, and the token is the gateway's."""
    named = _Noting()
    async with (
        scripted_searcher.searcher(named) as target,
        Searchers((), Credentials(token="gateway.secret"), trusts_gateways=True) as searchers,
    ):
        searchers.name([target])
        assert (await searchers[""].search(search_pb2.StreamSearchRequest(), deadlines_in(5.0, 5.0))).result
    assert named.seen == ["Bearer gateway.secret"]
