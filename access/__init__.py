"""Who may call: tokens and certificates, in files that are read again when they change."""
