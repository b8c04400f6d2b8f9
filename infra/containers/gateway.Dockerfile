# The gateway alone, for remote searchers and a remote console. Build it from the top of the repository:
#
#     docker build -f infra/containers/gateway.Dockerfile -t battlesnake-gateway .
#     docker run --read-only --tmpfs /tmp -p 8000:8000 -e SEARCHER_TARGET=dns:///searcher:50051 battlesnake-gateway

# The tag moves with security updates. For a reproducible build, use a digest instead.
ARG PYTHON=python:3.13-slim-bookworm
# The base of the image itself. It needs the same Python in the same place, and libstdc++; no shell, no pip. For a
# distroless base, build with the same distribution's: PYTHON is a Debian 12 with its python3 and python3-venv, BASE is
# gcr.io/distroless/python3-debian12.
ARG BASE=${PYTHON}

FROM ${PYTHON} AS build
# hadolint ignore=DL3008
RUN apt-get update \
 && apt-get install --yes --no-install-recommends binutils \
 && rm -rf /var/lib/apt/lists/*
WORKDIR /build
# Up to the builder, the container files of the gateway and the console are alike, so that one builder serves both.
# Packages come first: they change less often than the project.
ENV UV_NO_CACHE=1 \
    UV_SYSTEM_CERTS=1
COPY requirements/uv.txt requirements/build.txt requirements/
RUN python3 -m venv builder \
 && builder/bin/pip install --no-cache-dir --require-hashes --requirement requirements/uv.txt \
 && builder/bin/uv pip install --python builder/bin/python --require-hashes --requirement requirements/build.txt
COPY requirements/gateway.txt requirements/
RUN python3 -m venv --without-pip /app \
 && builder/bin/uv pip install --python /app/bin/python --compile-bytecode --require-hashes --requirement requirements/gateway.txt
COPY pyproject.toml README.md LICENSE ./
COPY battlesnake_search battlesnake_search
COPY gateway gateway
COPY infra/packaging infra/packaging
COPY searcher/bundle/slim.sh ./
RUN PREBUILD=none builder/bin/pip wheel --quiet --no-cache-dir --no-deps --no-build-isolation --wheel-dir dist . \
 && builder/bin/pip --python /app/bin/python install --no-cache-dir --no-deps --no-index dist/*.whl \
 && ./slim.sh /app \
 && mkdir data

FROM ${BASE}
COPY --from=build /app /app
# A new volume gets the owner of this folder.
COPY --from=build --chown=65532:65532 /build/data /var/lib/battlesnake
ENV PATH=/app/bin:$PATH \
    PORT=8000 \
    XDG_DATA_HOME=/var/lib/battlesnake \
    CONSOLE_TARGET=none
# The base image has no bytecode of the standard library, and a container can't write any, so it is compiled here.
RUN ["python", "-c", "import gateway.commands.main, gateway.commands.serve, gateway.health"]
USER 65532:65532
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=3s --start-period=5s CMD ["python", "-m", "gateway.health"]
ENTRYPOINT ["python", "-m", "gateway"]
