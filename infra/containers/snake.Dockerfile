# A whole snake: the gateway and the searcher that it starts. Build it from the top of the repository:
#
#     docker build -f infra/containers/snake.Dockerfile -t battlesnake-snake .
#     docker run --read-only --tmpfs /tmp -p 8000:8000 battlesnake-snake

# The tag moves with security updates. For a reproducible build, use a digest instead.
ARG PYTHON=python:3.13-slim-bookworm

FROM ${PYTHON} AS build
# hadolint ignore=DL3008
RUN apt-get update \
 && apt-get install --yes --no-install-recommends binutils \
 && rm -rf /var/lib/apt/lists/*
WORKDIR /build
# Packages come first: they change less often than the project. The compiler stays in this stage.
COPY requirements/compile.txt requirements/snake.txt requirements/
RUN python -m venv --without-pip /app \
 && pip install --no-cache-dir --require-hashes --requirement requirements/compile.txt \
 && pip --python /app/bin/python install --no-cache-dir --require-hashes --requirement requirements/snake.txt
COPY pyproject.toml README.md LICENSE ./
COPY protos protos
COPY commandline commandline
COPY access access
COPY viewer viewer
COPY estimation estimation
COPY gateway gateway
COPY searcher searcher
COPY infra/packaging infra/packaging
# The levels of the architecture to compile for, which takes minutes each. A container runs the best one that its
# machine has. Empty: all levels that the machine of the build has.
ARG CPU=
RUN PREBUILD="${CPU}" pip wheel --quiet --no-cache-dir --no-deps --no-build-isolation --wheel-dir /build/dist . \
 && pip --python /app/bin/python install --no-cache-dir --no-deps --no-index /build/dist/*.whl

FROM ${PYTHON}
COPY --from=build /app /app
ENV PATH=/app/bin:$PATH \
    PORT=8000 \
    OUTCOMES_URL=none
# The base image has no bytecode of the standard library, and a container can't write any, so it is compiled here.
RUN python -c 'import asyncpg, gateway.commands.main, gateway.commands.serve, gateway.health, gateway.outcomes.store' \
 && python -c 'import searcher.commands.main, searcher.serving.server, searcher.precompile.warmup'
USER 65532:65532
# Fail the build if a container would compile anything at its start.
RUN ["python", "-m", "searcher", "warm", "--check"]
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=3s --start-period=5s CMD ["python", "-m", "gateway.health"]
ENTRYPOINT ["python", "-m", "gateway"]
