"""The port as a whole: its bounds, its warning, and its other addresses."""

import asyncio
import resource
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen

import grpc
import pytest

from battlesnake_search.serving.address import ListenError
from battlesnake_search.serving.port import OPEN_PORT, PortSettings, warn_if_exposed
from searcher.health import is_serving
from searcher.serving.metrics import Metrics
from searcher.serving.program import SEARCHER
from tests.battlesnake_search.serving.guarded import OK, Authority, Tokens, health, port_of, search, serving
from tests.support.logs import capture_logs

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
SETTINGS = bytes([0, 0, 0, 4, 0, 0, 0, 0, 0])


def connect(address: str, sent: bytes) -> socket.socket:
    """Open a connection and send these bytes."""
    connection = socket.create_connection(("127.0.0.1", int(address.rpartition(":")[2])))
    connection.sendall(sent)
    return connection


def is_closed(connection: socket.socket) -> bool:
    """Return whether the other side has closed a connection."""
    connection.setblocking(False)
    try:
        while connection.recv(1 << 16):
            pass
    except BlockingIOError:
        return False
    except ConnectionError:
        pass
    return True


@contextmanager
def few_files(count: int) -> Iterator[None]:
    """Let this process open no more files than this, as far as the port can see."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (count, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.mark.parametrize(
    ("listen", "words"),
    [
        ("127.0.0.1:0", ()),
        ("localhost:0", ()),
        ("[::1]:0", ()),
        ("unix:/tmp/searcher.sock", ()),
        ("0.0.0.0:0", ("--tls-cert", "--tls-key", "--tokens")),
        ("[::]:0", ("--tls-cert", "--tls-key", "--tokens")),
        ("192.0.2.7:0", ("--tls-cert", "--tls-key", "--tokens")),
    ],
)
def test_a_port_for_strangers_warns_once(listen: str, words: tuple[str, ...]) -> None:
    """The warning names what to set; a port that only this machine reaches needs none."""
    with capture_logs() as events:
        warn_if_exposed(listen, OPEN_PORT, SEARCHER)
    assert [event["log_level"] for event in events] == ["warning"] * bool(words)
    assert all(word in str(events) for word in words)


def test_a_guarded_port_does_not_warn(tmp_path: Path) -> None:
    """With TLS and either tokens or certificates of clients nothing is missing, and otherwise one of them."""
    authority, tokens = Authority(tmp_path), Tokens(tmp_path / "tokens.toml")
    with capture_logs() as events:
        warn_if_exposed("0.0.0.0:0", PortSettings(authority.files(), tokens=tokens.path), SEARCHER)
        warn_if_exposed("0.0.0.0:0", PortSettings(authority.files(mutual=True)), SEARCHER)
        assert events == []
        warn_if_exposed("0.0.0.0:0", PortSettings(tokens=tokens.path), SEARCHER)
        warn_if_exposed("0.0.0.0:0", PortSettings(authority.files()), SEARCHER)
    assert ["--tls-cert" in str(event) for event in events] == [True, False]
    assert ["--tokens" in str(event) for event in events] == [False, True]


async def test_the_health_has_an_address_without_tls(logs: None, tmp_path: Path) -> None:
    """A probe that knows no TLS sees the health there, and nothing else."""
    settings = PortSettings(Authority(tmp_path).files(mutual=True), health="127.0.0.1:0")
    async with serving(settings) as (server, address):
        assert await asyncio.to_thread(is_serving, server.port.health_address)
        assert not await asyncio.to_thread(is_serving, address)
        async with grpc.aio.insecure_channel(server.port.health_address) as channel:
            assert (await health(channel)).code == OK
            assert (await search(channel)).code == grpc.StatusCode.UNIMPLEMENTED


async def test_metrics_are_served_where_the_settings_say(logs: None, tmp_path: Path) -> None:
    """They have the refused calls; names that the token file lacks don't appear."""
    tokens = Tokens(tmp_path / "tokens.toml")
    tokens.put("bot")
    settings = PortSettings(tokens=tokens.path, metrics=["127.0.0.1:0"])
    async with serving(settings) as (server, address), grpc.aio.insecure_channel(address) as channel:
        await search(channel, "nobody.secret")
        await search(channel, "bot.secret")
        url = f"http://{server.metrics.ports.addresses[0]}/metrics"
        text = (await asyncio.to_thread(lambda: urlopen(url).read())).decode()
        settings = PortSettings(metrics=server.metrics.ports.addresses)
        with pytest.raises(ListenError, match=r"cannot serve metrics on .*Address already in use"):
            await port_of(Metrics(), settings=settings).start()
    assert 'searcher_calls_refused_total{reason="unknown",token=""} 1.0' in text
    assert 'searcher_calls_refused_total{reason="wrong",token="bot"} 1.0' in text
    assert "nobody" not in text
    [tasks] = [line for line in text.splitlines() if line.startswith("searcher_tasks ")]
    assert 1 <= float(tasks.split()[1]) < 100


async def test_an_address_that_grpc_refuses_is_named(logs: None, tmp_path: Path) -> None:
    """A path may be too long for a socket."""
    address = f"unix:{tmp_path / (200 * 'x')}"
    with pytest.raises(ListenError, match=f"^cannot listen on {address}: "):
        await port_of(Metrics(), address).start()
