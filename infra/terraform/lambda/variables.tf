variable "name" {
  description = "Name of the function."
  type        = string
  default     = "battlesnake"
}

variable "image" {
  description = "Reference of the image for Lambda with its digest, in an ECR repository in the region of the function."
  type        = string
}

variable "architecture" {
  description = "Architecture of the image: x86_64 or arm64."
  type        = string
  default     = "x86_64"

  validation {
    condition     = contains(["x86_64", "arm64"], var.architecture)
    error_message = "The architecture must be x86_64 or arm64."
  }
}

variable "memory" {
  description = "Memory in MB. It determines the cores: 1769 MB give one, 3538 MB two."
  type        = number
  default     = 1769
}

variable "warm" {
  description = "Instances kept running. With 0 the first move of a game waits for a cold start."
  type        = number
  default     = 0
}

variable "most" {
  description = "Maximum number of concurrent moves, each on its own instance, which limits the bill; -1 means the account's limit."
  type        = number
  default     = 20
}

variable "settings" {
  description = "Environment variables of the gateway, for example STRATEGY, or CONSOLE_TARGET for a console that records the games."
  type        = map(string)
  default     = {}
}

variable "canary" {
  description = "A version that gets a share of the requests alongside the latest version, and that share, from 0 to 1."
  type = object({
    version = string
    weight  = number
  })
  default = null
}
