# The snake as an AWS Lambda function: its image with the adapter that converts a function's events to HTTP/1.1.
#
#     docker build --platform linux/amd64 --provenance=false -f infra/lambda/lambda.Dockerfile -t battlesnake-lambda .
#
# The adapter waits for the gateway's liveness only, not for the searcher: the start of a function is limited to ten
# seconds, and the gateway already answers moves.
#
# Between requests Lambda stops all processes, so a console inside would be of no use. CONSOLE_TARGET names another one:
# it has a game when the answer to the /end leaves.
ARG SNAKE=battlesnake-snake

FROM ${SNAKE}
COPY --from=public.ecr.aws/awsguru/aws-lambda-adapter:1.0.0 /lambda-adapter /opt/extensions/lambda-adapter
ENV PORT=8080 \
    CONSOLE_TARGET=none \
    CONSOLE_WAIT=2 \
    AWS_LWA_PORT=8080 \
    AWS_LWA_READINESS_CHECK_PATH=/healthz
