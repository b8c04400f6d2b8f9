"""The causes of failed connections, with real servers."""

import asyncio
import socket
from pathlib import Path

import pytest
import trustme

from battlesnake_search.channels import TLS
from battlesnake_search.common.access import CertificateFiles, Certificates
from battlesnake_search.diagnosis import Diagnosis, diagnose
from tests.gateway import scripted_searcher
from tests.gateway.scripted_searcher import ScriptedService, at_once
from tests.support.certificates import server_credentials, write
from tests.support.services import free_port

NONE = Certificates(None, None, None)
OURS, STRANGERS = trustme.CA(), trustme.CA()


async def _cause(target: str, certificates: Certificates = NONE) -> str:
    found = await asyncio.to_thread(diagnose, target, certificates)
    return found.cause if found else ""


@pytest.fixture
def ours(tmp_path: Path) -> Certificates:
    """The certificates of a client: our authority's."""
    return write(tmp_path / "ours", OURS).read()


async def test_the_certificate_of_a_searcher(ours: Certificates, tmp_path: Path) -> None:
    """An unknown authority and a wrong name are different causes, and a missing prefix is a third one."""
    strangers = CertificateFiles(authorities=write(tmp_path / "strangers", STRANGERS).authorities).read()
    credentials = server_credentials(OURS)
    async with scripted_searcher.searcher(ScriptedService(at_once), credentials=credentials) as target:
        assert await _cause(target, ours) == ""
        assert "not by an accepted authority" in await _cause(target, strangers)
        assert "not for the name 127.0.0.1" in await _cause(target.replace("localhost", "127.0.0.1"), ours)
        assert await _cause(target.removeprefix(TLS)) == "the searcher speaks only TLS"


async def test_the_certificate_of_a_client(ours: Certificates, tmp_path: Path) -> None:
    """A missing certificate and a refused one are different causes."""
    authorities = Certificates(None, None, ours.authorities)
    refused = write(tmp_path / "refused", STRANGERS, trusted=[OURS]).read()
    credentials = server_credentials(OURS, OURS)
    async with scripted_searcher.searcher(ScriptedService(at_once), credentials=credentials) as target:
        assert await _cause(target, ours) == ""
        assert "requires a client's certificate" in await _cause(target, authorities)
        assert "refuses the client's certificate" in await _cause(target, refused)
        assert await _cause(target.removeprefix(TLS)) == "the searcher speaks only TLS"


async def test_a_searcher_without_tls() -> None:
    """The prefix of TLS is wrong there."""
    async with scripted_searcher.searcher(ScriptedService(at_once)) as target:
        assert await _cause(target) == ""
        assert await _cause(f"{TLS}{target}") == "the port speaks no TLS"


@pytest.mark.parametrize(
    ("answer", "cause"),
    [
        (b"220 mail.example ready\r\n", "a program that is not a gRPC server listens there"),
        (b"HTTP/1.1 400 Bad Request\r\n\r\n", "an HTTP server listens there, and not a searcher"),
        (b"", "a program that is not a gRPC server listens there"),
    ],
)
async def test_another_program(answer: bytes, cause: str) -> None:
    """A program that does not speak HTTP/2 is no searcher. An HTTP server is named."""

    async def speak(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(answer)
        writer.close()

    server = await asyncio.start_server(speak, "127.0.0.1", 0, family=socket.AF_INET)
    async with server:
        assert await _cause(f"127.0.0.1:{server.sockets[0].getsockname()[1]}") == cause


async def test_nothing_listens() -> None:
    """The cause names the port."""
    port = free_port()
    assert await _cause(f"127.0.0.1:{port}") == f"nothing listens on port {port}"


@pytest.mark.parametrize("target", ["unix:/no/such.sock", f"{'a' * 64}.example:50051", "nowhere.invalid:1"])
async def test_a_target_that_is_not_connected_to(target: str) -> None:
    """A socket's path and a name without an address have no finding."""
    assert await _cause(target) == ""


def test_the_remedy_for_a_client() -> None:
    """Users of the client read of its arguments. A cause beyond their arguments stays alone."""
    assert Diagnosis("a cause", "give --option", "Give argument=").for_client == "a cause. Give argument="
    assert Diagnosis("a cause", "give --option").for_client == "a cause"


def test_a_silent_searcher_beside_a_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    """A network that only a proxy leaves drops the calls, so the remedy says that the proxy is not used."""

    def connect(*_: object) -> socket.socket:
        raise TimeoutError

    monkeypatch.setattr(socket, "create_connection", connect)
    for name in ("grpc_proxy", "https_proxy", "http_proxy"):
        monkeypatch.delenv(name, raising=False)
    found = diagnose("192.0.2.1:50051", NONE)
    assert found is not None and "no answer" in found.cause and "proxy" not in found.remedy
    monkeypatch.setenv("https_proxy", "http://192.0.2.2:3128")
    found = diagnose("192.0.2.1:50051", NONE)
    assert found is not None and "not through a proxy such as https_proxy names" in found.remedy
