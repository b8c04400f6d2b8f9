# One snake on AWS Lambda: gateway and searcher in one image, called over HTTP at the URL of the function.

data "aws_iam_policy_document" "runs_as" {
  statement {
    actions = ["sts:AssumeRole"]
    principals {
      type        = "Service"
      identifiers = ["lambda.amazonaws.com"]
    }
  }
}

resource "aws_iam_role" "snake" {
  name               = var.name
  assume_role_policy = data.aws_iam_policy_document.runs_as.json
}

# The only permission is to write the log.
resource "aws_iam_role_policy_attachment" "log" {
  role       = aws_iam_role.snake.name
  policy_arn = "arn:aws:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole"
}

resource "aws_cloudwatch_log_group" "snake" {
  name              = "/aws/lambda/${var.name}"
  retention_in_days = 14
}

resource "aws_lambda_function" "snake" {
  function_name = var.name
  role          = aws_iam_role.snake.arn
  package_type  = "Image"
  image_uri     = var.image
  architectures = [var.architecture]
  memory_size   = var.memory
  # Engines wait for half a second, but a cold start takes longer.
  timeout                        = 10
  reserved_concurrent_executions = var.most
  publish                        = true

  environment {
    variables = var.settings
  }

  depends_on = [aws_cloudwatch_log_group.snake, aws_iam_role_policy_attachment.log]
}

resource "aws_lambda_alias" "live" {
  name             = "live"
  function_name    = aws_lambda_function.snake.function_name
  function_version = aws_lambda_function.snake.version

  dynamic "routing_config" {
    for_each = var.canary[*]
    content {
      additional_version_weights = { (routing_config.value.version) = routing_config.value.weight }
    }
  }
}

resource "aws_lambda_provisioned_concurrency_config" "warm" {
  count                             = var.warm > 0 ? 1 : 0
  function_name                     = aws_lambda_alias.live.function_name
  qualifier                         = aws_lambda_alias.live.name
  provisioned_concurrent_executions = var.warm
}

# Engines send no credentials.
resource "aws_lambda_function_url" "snake" {
  function_name      = aws_lambda_function.snake.function_name
  qualifier          = aws_lambda_alias.live.name
  authorization_type = "NONE"
}
