"""The images of the container files: how they are built here, and how large they are."""
