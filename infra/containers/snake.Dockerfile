# A whole snake: the gateway, and the searcher and the console that it starts. Build it from the top of the repository:
#
#     docker build -f infra/containers/snake.Dockerfile -t battlesnake-snake .
#     docker run --read-only --tmpfs /tmp -p 8000:8000 battlesnake-snake

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
ENV SEARCHER_CACHE_DIR=/build/compiled \
    UV_NO_CACHE=1 \
    UV_SYSTEM_CERTS=1
# Up to the compiled code, the container files of the snake and the searcher are alike, so that one compiles for both.
# The compiler stays in this stage.
COPY requirements/uv.txt requirements/compile.txt requirements/
RUN python3 -m venv compiler \
 && compiler/bin/pip install --no-cache-dir --require-hashes --requirement requirements/uv.txt \
 && compiler/bin/uv pip install --python compiler/bin/python --require-hashes --requirement requirements/compile.txt
COPY battlesnake_search battlesnake_search
COPY searcher searcher
COPY infra/packaging infra/packaging
# The levels of the architecture to compile for, separated by spaces; empty: all of them. A container runs the best one
# that its machine has. The first one must run on the machine of the build.
ARG CPU=
RUN levels=$(PREBUILD="${CPU}" compiler/bin/python -c 'from infra.packaging.commands import targets; print(*targets())') \
 && SEARCHER_CPU="${levels}" compiler/bin/python -m searcher warm
COPY requirements/snake.txt requirements/
RUN python3 -m venv --without-pip /app \
 && compiler/bin/uv pip install --python /app/bin/python --compile-bytecode --require-hashes --requirement requirements/snake.txt
COPY pyproject.toml README.md LICENSE ./
COPY gateway gateway
COPY console console
COPY searcher/bundle/slim.sh ./
RUN PREBUILD="${CPU}" compiler/bin/pip wheel --quiet --no-cache-dir --no-deps --no-build-isolation --wheel-dir dist . \
 && compiler/bin/pip --python /app/bin/python install --no-cache-dir --no-deps --no-index dist/*.whl \
 && ./slim.sh /app

FROM ${BASE}
COPY --from=build /app /app
ENV PATH=/app/bin:$PATH \
    PORT=8000 \
    OUTCOMES_URL=none
# The base image has no bytecode of the standard library, and a container can't write any, so it is compiled here.
RUN ["python", "-c", "import asyncpg, gateway.commands.main, gateway.commands.serve, gateway.health, console.commands.main, console.commands.serve, console.app, console.store.store, searcher.commands.main, searcher.serving.server, searcher.precompile.warmup"]
USER 65532:65532
# Fail the build if a container would compile anything.
RUN ["python", "-m", "searcher", "warm", "--check"]
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=3s --start-period=5s CMD ["python", "-m", "gateway.health"]
ENTRYPOINT ["python", "-m", "gateway"]
