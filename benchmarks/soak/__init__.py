"""A snake that plays for long, and what its processes hold meanwhile."""
