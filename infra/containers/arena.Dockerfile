# The arena with Ray and all compiled code: head, workers and submitter of a cluster. Build it from the top of the
# repository:
#
#     docker build -f infra/containers/arena.Dockerfile -t battlesnake-arena .
#     docker run --rm --read-only --tmpfs /tmp battlesnake-arena python -m arena match paranoid/area paranoid/length --games 2

# The tag moves with security updates. For a reproducible build, use a digest instead. All machines of a cluster need the
# same Python.
ARG PYTHON=python:3.13-slim-bookworm

# The linker is for what a user compiles: evaluators of plug-ins, opponents of the pool.
FROM ${PYTHON} AS base
# hadolint ignore=DL3008
RUN apt-get update \
 && apt-get install --yes --no-install-recommends binutils \
 && rm -rf /var/lib/apt/lists/*

FROM base AS build
WORKDIR /build
ENV SEARCHER_CACHE_DIR=/build/compiled \
    UV_NO_CACHE=1 \
    UV_SYSTEM_CERTS=1
# Packages come first: they change less often than the project.
COPY requirements/uv.txt requirements/build.txt requirements/cluster.txt requirements/
RUN python3 -m venv builder \
 && builder/bin/pip install --no-cache-dir --require-hashes --requirement requirements/uv.txt \
 && builder/bin/uv pip install --python builder/bin/python --require-hashes --requirement requirements/build.txt \
 && python3 -m venv --without-pip /app \
 && builder/bin/uv pip install --python /app/bin/python --compile-bytecode --require-hashes --requirement requirements/cluster.txt
COPY pyproject.toml README.md LICENSE ./
COPY battlesnake_search battlesnake_search
COPY searcher searcher
COPY arena arena
COPY infra/packaging infra/packaging
# The levels of the architecture to compile for, separated by spaces; empty: all of them. A container runs the best one
# that its machine has. The first one must run on the machine of the build.
ARG CPU=
RUN levels=$(PREBUILD="${CPU}" /app/bin/python -c 'from infra.packaging.commands import targets; print(*targets())') \
 && SEARCHER_CPU="${levels}" /app/bin/python -m searcher warm
# Without isolation the build uses the compiler in /app.
RUN PREBUILD="${CPU}" builder/bin/pip --python /app/bin/python wheel --quiet --no-cache-dir --no-deps --no-build-isolation --wheel-dir dist . \
 && builder/bin/pip --python /app/bin/python install --no-cache-dir --no-deps --no-index dist/*.whl

FROM base
COPY --from=build /app /app
# What else is compiled goes where a container can write.
ENV PATH=/app/bin:$PATH \
    HOME=/tmp \
    SEARCHER_CACHE_DIR=/tmp/compiled
USER 65532:65532
# Fail the build if a container would compile a strategy.
RUN ["python", "-m", "searcher", "warm", "--check"]
CMD ["python", "-m", "arena", "--help"]
