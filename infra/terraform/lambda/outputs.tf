output "url" {
  description = "URL to register as your Battlesnake."
  value       = aws_lambda_function_url.snake.function_url
}
