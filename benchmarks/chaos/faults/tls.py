"""Faults of certificates: the searcher's port with TLS."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta

import trustme

from benchmarks.chaos.faults.fault import Fault, repeated
from benchmarks.chaos.relay import relay
from benchmarks.chaos.stage import Searcher, Stage
from tests.support import certificates

_EXPIRED = 1.0
"""Seconds."""


class CertificatesRenewed(Fault):
    """Certificates that are replaced in time."""

    name = "certificates renewed"
    sentence = "Every 2 s the searcher's certificate is replaced, and the connection is reset."

    @asynccontextmanager
    async def prepared(self, stage: Stage) -> AsyncIterator[None]:
        """Run a searcher with TLS, and a relay before it."""
        self._authority = trustme.CA()
        self._folder = stage.folder / "tls"
        files = certificates.write(self._folder, self._authority)
        searcher = Searcher("--tls-cert", str(files.chain), "--tls-key", str(files.key))
        try:
            await searcher.settled()
            async with relay(searcher.port) as (self._relay, port):
                stage.target = f"grpcs://localhost:{port}"
                stage.options += ["--searcher-ca", str(files.authorities)]
                yield
        finally:
            searcher.kill()

    @asynccontextmanager
    async def on(self, stage: Stage) -> AsyncIterator[None]:
        """Replace the certificate again and again."""
        async with repeated(self._replace):
            yield

    async def _replace(self) -> None:
        certificates.write(self._folder, self._authority)
        self._relay.reset()


class CertificatesExpired(CertificatesRenewed):
    """Certificates that are replaced too late."""

    name = "certificates expired for 1 s"
    sentence = "Every 3 s the searcher's certificate has expired for 1 s, in which the connection is reset."

    async def _replace(self) -> None:
        yesterday = datetime.now(UTC) - timedelta(days=1)
        certificates.write(self._folder, self._authority, expires=yesterday)
        self._relay.reset()
        try:
            await asyncio.sleep(_EXPIRED)
        finally:
            certificates.write(self._folder, self._authority)


FAULTS = (CertificatesRenewed(), CertificatesExpired())
