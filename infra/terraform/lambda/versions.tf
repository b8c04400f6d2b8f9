terraform {
  required_version = ">= 1.6"

  required_providers {
    aws = {
      source = "hashicorp/aws"
      # The first version that grants both public permissions that function URLs have needed since October 2025.
      version = ">= 6.28"
    }
  }
}
