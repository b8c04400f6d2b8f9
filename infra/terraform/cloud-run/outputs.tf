output "url" {
  description = "URL to register as your Battlesnake."
  value       = google_cloud_run_v2_service.snake.uri
}
