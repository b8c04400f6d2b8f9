variable "name" {
  description = "Of the function."
  type        = string
  default     = "battlesnake"
}

variable "image" {
  description = "The image for Lambda, in an ECR repository of the function's own region, with its digest."
  type        = string
}

variable "architecture" {
  description = "The image's: x86_64 or arm64."
  type        = string
  default     = "x86_64"

  validation {
    condition     = contains(["x86_64", "arm64"], var.architecture)
    error_message = "Lambda runs x86_64 and arm64."
  }
}

variable "memory" {
  description = "In MB. Cores come with it: 1769 are one, 3538 two."
  type        = number
  default     = 1769
}

variable "warm" {
  description = "Instances kept running. With 0 the first move of a game waits for a start."
  type        = number
  default     = 0
}

variable "most" {
  description = "Moves at once, each on an instance of its own: the bill's limit. -1: the account's."
  type        = number
  default     = 20
}

variable "settings" {
  description = "Environment of the gateway, for example STRATEGY. What runs behind a request, as outcomes do, is frozen with the instance."
  type        = map(string)
  default     = { OUTCOMES_URL = "none" }
}

variable "canary" {
  description = "A version that gets a share of the requests beside the latest, and that share, from 0 to 1."
  type = object({
    version = string
    weight  = number
  })
  default = null
}
