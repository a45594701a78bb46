"""Log-ins by other providers: OpenID Connect and OAuth 2.0, and the accounts they are linked to."""
