# One snake on Cloud Run: gateway and searcher in one container.

resource "google_service_account" "snake" {
  project      = var.project
  account_id   = var.name
  display_name = "Identity of the Battlesnake, without any permissions"
}

resource "google_cloud_run_v2_service" "snake" {
  project             = var.project
  location            = var.region
  name                = var.name
  ingress             = "INGRESS_TRAFFIC_ALL"
  deletion_protection = false

  template {
    service_account                  = google_service_account.snake.email
    execution_environment            = "EXECUTION_ENVIRONMENT_GEN2"
    max_instance_request_concurrency = var.cores * var.games_per_core
    # Engines wait for half a second.
    timeout = "5s"

    scaling {
      min_instance_count = var.least_instances
      max_instance_count = var.most_instances
    }

    containers {
      image = var.image

      # The gateway reads PORT, which Cloud Run sets to this.
      ports {
        container_port = 8000
      }

      resources {
        limits = {
          cpu    = tostring(var.cores)
          memory = var.memory
        }
        # Cores are allocated only during requests, so missing code is compiled only during moves, and a console must
        # have a game before the answer to its /end leaves.
        cpu_idle          = true
        startup_cpu_boost = true
      }

      dynamic "env" {
        for_each = merge({ CONSOLE_TARGET = "none", CONSOLE_WAIT = "2" }, var.settings)
        content {
          name  = env.key
          value = env.value
        }
      }

      # An instance is ready when its searcher is SERVING, so no move of a new instance is a reflex.
      startup_probe {
        period_seconds    = 1
        timeout_seconds   = 1
        failure_threshold = 60
        http_get {
          path = "/readyz"
        }
      }

      liveness_probe {
        period_seconds  = 10
        timeout_seconds = 5
        http_get {
          path = "/healthz"
        }
      }
    }
  }

  dynamic "traffic" {
    for_each = var.traffic
    content {
      type     = traffic.value.revision == null ? "TRAFFIC_TARGET_ALLOCATION_TYPE_LATEST" : "TRAFFIC_TARGET_ALLOCATION_TYPE_REVISION"
      revision = traffic.value.revision
      percent  = traffic.value.percent
      tag      = traffic.value.tag
    }
  }
}

# Engines send no credentials.
resource "google_cloud_run_v2_service_iam_member" "anyone" {
  project  = var.project
  location = var.region
  name     = google_cloud_run_v2_service.snake.name
  role     = "roles/run.invoker"
  member   = "allUsers"
}
