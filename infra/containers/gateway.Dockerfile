# The gateway alone, for remote searchers. Build it from the top of the repository:
#
#     docker build -f infra/containers/gateway.Dockerfile -t battlesnake-gateway .
#     docker run --read-only --tmpfs /tmp -p 8000:8000 -e SEARCHER_TARGET=dns:///searcher:50051 battlesnake-gateway

# The tag moves with security updates. For a reproducible build, use a digest instead.
ARG PYTHON=python:3.13-slim-bookworm

FROM ${PYTHON} AS build
WORKDIR /build
# Packages come first: they change less often than the project.
COPY requirements/build.txt requirements/gateway.txt requirements/
RUN python -m venv --without-pip /app \
 && pip install --no-cache-dir --require-hashes --requirement requirements/build.txt \
 && pip --python /app/bin/python install --no-cache-dir --require-hashes --requirement requirements/gateway.txt
COPY pyproject.toml README.md LICENSE ./
COPY protos protos
COPY commandline commandline
COPY access access
COPY viewer viewer
COPY estimation estimation
COPY gateway gateway
COPY infra/packaging infra/packaging
RUN PREBUILD=none pip wheel --quiet --no-cache-dir --no-deps --no-build-isolation --wheel-dir /build/dist . \
 && pip --python /app/bin/python install --no-cache-dir --no-deps --no-index /build/dist/*.whl

FROM ${PYTHON}
COPY --from=build /app /app
ENV PATH=/app/bin:$PATH \
    PORT=8000 \
    OUTCOMES_URL=none
# The base image has no bytecode of the standard library, and a container can't write any, so it is compiled here.
RUN ["python", "-c", "import asyncpg, gateway.commands.main, gateway.commands.serve, gateway.health, gateway.outcomes.store"]
USER 65532:65532
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=3s --start-period=5s CMD ["python", "-m", "gateway.health"]
ENTRYPOINT ["python", "-m", "gateway"]
