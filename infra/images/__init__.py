"""The images of the container files: their build on this machine, and their sizes."""
