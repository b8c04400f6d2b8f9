# The searcher with all its compiled code. Build it from the top of the repository:
#
#     docker build -f infra/containers/searcher.Dockerfile -t battlesnake-searcher .
#     docker run --read-only --tmpfs /tmp -p 50051:50051 battlesnake-searcher

# The tag moves with security updates. For a reproducible build, use a digest instead.
ARG PYTHON=python:3.13-slim-bookworm

# The architecture of the image. Podman sets it only where it is declared; without a value here, an old Docker would
# forget what it has set. Builders that don't set it build for amd64.
ARG TARGETARCH=${TARGETARCH}

# Code is compiled for a CPU level that the container's machine must have, not for the build machine. Machines have
# had AVX2 since 2013 (Intel) or 2015 (AMD). For older machines: --build-arg CPU=x86-64-v2.
FROM ${PYTHON} AS base-amd64
ARG CPU=x86-64-v3
ENV SEARCHER_CPU=${CPU}

FROM ${PYTHON} AS base-arm64
ARG CPU=generic
ENV SEARCHER_CPU=${CPU}

# hadolint ignore=DL3006
FROM base-${TARGETARCH:-amd64} AS base
ENV PATH=/app/bin:$PATH \
    SEARCHER_CACHE_DIR=/app/compiled

FROM base AS build
WORKDIR /build
# Packages come first: they change less often than the project.
COPY requirements/build.txt requirements/searcher.txt requirements/
RUN python -m venv --without-pip /app \
 && pip install --no-cache-dir --require-hashes --requirement requirements/build.txt \
 && pip --python /app/bin/python install --no-cache-dir --require-hashes --requirement requirements/searcher.txt
COPY pyproject.toml README.md LICENSE ./
COPY protos protos
COPY commandline commandline
COPY access access
COPY searcher searcher
RUN pip wheel --quiet --no-cache-dir --no-deps --no-build-isolation --wheel-dir /build/dist . \
 && pip --python /app/bin/python install --no-cache-dir --no-deps --no-index /build/dist/*.whl
# Compile the installed package, not the sources in /build. This takes minutes.
WORKDIR /
RUN ["python", "-m", "searcher", "warm"]

FROM base
COPY --from=build /app /app
ENV PORT=50051
# The base image has no bytecode of the standard library, and a container can't write any, so it is compiled here.
RUN ["python", "-c", "import searcher.commands.main, searcher.health, searcher.serving.server, searcher.precompile.warmup"]
USER 65532:65532
# Fail the build if a container would compile anything at its start.
RUN ["python", "-m", "searcher", "warm", "--check"]
EXPOSE 50051
HEALTHCHECK --interval=30s --timeout=5s --start-period=10s CMD ["python", "-m", "searcher.health"]
ENTRYPOINT ["python", "-m", "searcher"]
CMD ["serve"]
