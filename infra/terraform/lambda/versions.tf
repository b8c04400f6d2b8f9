terraform {
  required_version = ">= 1.6"

  required_providers {
    aws = {
      source = "hashicorp/aws"
      # The first that grants the public both permissions that a function's URL has needed since October 2025.
      version = ">= 6.28"
    }
  }
}
