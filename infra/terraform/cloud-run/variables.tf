variable "project" {
  description = "Id of the Google Cloud project."
  type        = string
}

variable "region" {
  description = "Near the engines that play you: their way there and back comes off the time to think."
  type        = string
  default     = "us-west1"
}

variable "name" {
  description = "Of the service."
  type        = string
  default     = "battlesnake"
}

variable "image" {
  description = "The image battlesnake-snake, in a registry that the project can read."
  type        = string
}

variable "cores" {
  description = "Of an instance. It searches for as many games at once at full depth."
  type        = number
  default     = 2
}

variable "memory" {
  description = "Of an instance."
  type        = string
  default     = "2Gi"
}

variable "games_per_core" {
  description = "Moves at once on a core before another instance is started; docs/capacity.md shows what each costs in depth."
  type        = number
  default     = 2
}

variable "least_instances" {
  description = "Kept running. With 0 the first move of a game waits for a start, and a reflex may have to answer it."
  type        = number
  default     = 1
}

variable "most_instances" {
  description = "The bill's limit."
  type        = number
  default     = 10
}

variable "settings" {
  description = "Environment of the gateway, for example STRATEGY or OUTCOMES_URL."
  type        = map(string)
  default     = { OUTCOMES_URL = "none" }
}

variable "traffic" {
  description = "Shares of the requests by revision; null is the latest. A tag makes an address of its own."
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
