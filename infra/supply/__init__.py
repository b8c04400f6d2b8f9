"""What the project is made of: locked versions with hashes, known vulnerabilities, a list of parts."""
