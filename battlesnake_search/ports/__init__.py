"""The public and the admin port: bounds of connections, passwords, and the headers of answers."""
