variable "project" {
  description = "Id of the Google Cloud project."
  type        = string
}

variable "region" {
  description = "Region near the engines that call the snake: the network latency is subtracted from the search time."
  type        = string
  default     = "us-west1"
}

variable "name" {
  description = "Name of the service."
  type        = string
  default     = "battlesnake"
}

variable "image" {
  description = "Reference of the image battlesnake-snake, in a registry that the project can read."
  type        = string
}

variable "cores" {
  description = "Cores of an instance. It searches for this many concurrent games at full depth."
  type        = number
  default     = 2
}

variable "memory" {
  description = "Memory of an instance."
  type        = string
  default     = "2Gi"
}

variable "games_per_core" {
  description = "Concurrent moves on a core before another instance is started; docs/capacity.md shows the cost in depth."
  type        = number
  default     = 2
}

variable "least_instances" {
  description = "Instances kept running. With 0 the first move of a game waits for a cold start and may be a reflex."
  type        = number
  default     = 1
}

variable "most_instances" {
  description = "Maximum number of instances, which limits the bill."
  type        = number
  default     = 10
}

variable "settings" {
  description = "Environment variables of the gateway, for example STRATEGY, or CONSOLE_TARGET for a console that records the games."
  type        = map(string)
  default     = {}
}

variable "traffic" {
  description = "Shares of the requests by revision; null is the latest revision. A tag creates a separate address."
  type = list(object({
    revision = optional(string)
    percent  = number
    tag      = optional(string)
  }))
  default = [{ percent = 100 }]

  validation {
    condition     = sum(var.traffic[*].percent) == 100
    error_message = "The percents must add up to 100."
  }
}
