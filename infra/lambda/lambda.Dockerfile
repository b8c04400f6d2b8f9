# The snake as an AWS Lambda function: its image with the adapter that hands a function's events on as HTTP/1.1.
#
#     docker build --platform linux/amd64 --provenance=false -f infra/lambda/lambda.Dockerfile -t battlesnake-lambda .
#
# The adapter waits until the gateway lives, and not for the searcher: a function's start is limited to ten
# seconds, and moves are answered meanwhile.
ARG SNAKE=battlesnake-snake

FROM ${SNAKE}
COPY --from=public.ecr.aws/awsguru/aws-lambda-adapter:1.0.0 /lambda-adapter /opt/extensions/lambda-adapter
ENV PORT=8080 \
    AWS_LWA_PORT=8080 \
    AWS_LWA_READINESS_CHECK_PATH=/healthz
