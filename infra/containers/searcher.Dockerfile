# The searcher, with all its code compiled. From the top of the repository:
#
#     docker build -f infra/containers/searcher.Dockerfile -t battlesnake-searcher .
#     docker run --read-only --tmpfs /tmp -p 50051:50051 battlesnake-searcher

# The tag moves with security updates; name a digest instead to build the same again.
ARG PYTHON=python:3.13-slim-bookworm

# Code is compiled for a level that a container's machine must have, not for the machine that builds: clouds have
# had AVX2 since 2013 to 2015. For older machines: --build-arg CPU=x86-64-v2.
FROM ${PYTHON} AS base-amd64
ARG CPU=x86-64-v3
ENV SEARCHER_CPU=${CPU}

FROM ${PYTHON} AS base-arm64
ARG CPU=generic
ENV SEARCHER_CPU=${CPU}

# hadolint ignore=DL3006
FROM base-${TARGETARCH} AS base
ENV PATH=/app/bin:$PATH \
    SEARCHER_CACHE_DIR=/app/compiled

FROM base AS build
WORKDIR /build
COPY pyproject.toml README.md LICENSE ./
COPY protos protos
COPY searcher searcher
# The project itself, which has no version to pin; pyproject.toml says what it needs.
# hadolint ignore=DL3013
RUN python -m venv --without-pip /app \
 && pip --python /app/bin/python install --no-cache-dir '.[searcher]'
# Away from the sources: what is installed is to be compiled. It takes minutes.
WORKDIR /
RUN ["python", "-m", "searcher", "warm"]

FROM base
COPY --from=build /app /app
ENV PORT=50051
# The base image comes without bytecode of the standard library. A container can't write any, so this does.
RUN ["python", "-c", "import searcher.__main__, searcher.health, searcher.serving.server, searcher.precompile.warmup"]
USER 65532:65532
# The build ends here if a container would compile anything at its start.
RUN ["python", "-m", "searcher", "warm", "--check"]
EXPOSE 50051
HEALTHCHECK --interval=30s --timeout=5s --start-period=10s --start-interval=1s CMD ["python", "-m", "searcher.health"]
ENTRYPOINT ["python", "-m", "searcher"]
CMD ["serve"]
