"""Searchers behind TLS, as in clouds."""

from pathlib import Path

import trustme

from battlesnake_search.channels import CredentialFiles, Credentials
from battlesnake_search.common.access import CertificateFiles
from battlesnake_search.contract import search_pb2
from battlesnake_search.searcher_client import SearcherClient, SearchReply
from tests.battlesnake_search.timing import deadlines_in
from tests.gateway import scripted_searcher
from tests.gateway.gateway_process import serving
from tests.gateway.scripted_searcher import ScriptedService, body
from tests.support.certificates import server_credentials, write

SERVICE = ScriptedService(scripted_searcher.at_once)


async def _ask(target: str, certificates: CertificateFiles) -> SearchReply:
    async with SearcherClient(target, Credentials(CredentialFiles(certificates))) as client:
        return await client.search(search_pb2.StreamSearchRequest(), deadlines_in(1.0, 1.0))


async def test_the_authorities_of_the_environment_are_trusted(tmp_path: Path) -> None:
    """The target's scheme requests TLS; gRPC's own variable may name the authorities."""
    authority, roots = trustme.CA(), tmp_path / "roots.pem"
    authority.cert_pem.write_to_path(str(roots))
    async with (
        scripted_searcher.searcher(SERVICE, credentials=server_credentials(authority)) as target,
        serving(f"{target}/", GRPC_DEFAULT_SSL_ROOTS_FILE_PATH=str(roots)) as (_, client),
        client.post("/move", json=body()) as answer,
    ):
        assert (await answer.json())["move"] == "up"


async def test_an_unknown_certificate_is_refused() -> None:
    """A searcher whose certificate no known authority issued gets no positions."""
    async with (
        scripted_searcher.searcher(SERVICE, credentials=server_credentials(trustme.CA())) as target,
        SearcherClient(target) as searcher,
    ):
        assert "UNAVAILABLE" in await searcher.trouble()


async def test_a_gateway_shows_its_certificate(tmp_path: Path) -> None:
    """Searchers that ask for certificates are called by gateways that have one, with the options' files."""
    authority = trustme.CA()
    files = write(tmp_path, authority)
    credentials = server_credentials(authority, clients=authority)
    async with (
        scripted_searcher.searcher(SERVICE, credentials=credentials) as target,
        serving(
            target,
            SEARCHER_TARGET_CA=str(files.authorities),
            SEARCHER_TARGET_CERT=str(files.chain),
            SEARCHER_TARGET_KEY=str(files.key),
        ) as (_, client),
        client.post("/move", json=body()) as answer,
    ):
        assert (await answer.json())["move"] == "up"


async def test_a_gateway_without_a_certificate_is_refused(tmp_path: Path) -> None:
    """With none, or with one of another authority, no search is made, and the failure says so."""
    authority = trustme.CA()
    known = write(tmp_path / "known", authority).authorities
    other = write(tmp_path / "other", trustme.CA())
    credentials = server_credentials(authority, clients=authority)
    async with scripted_searcher.searcher(SERVICE, credentials=credentials) as target:
        for files in (CertificateFiles(authorities=known), CertificateFiles(other.chain, other.key, known)):
            reply = await _ask(target, files)
            assert reply.result is None
            assert {failure.code.name for failure in reply.failures} == {"UNAVAILABLE"}
