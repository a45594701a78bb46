"""Certificate authority of the tests, with certificates that are right, old or of another host."""

from __future__ import annotations

import ssl
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

DAY = timedelta(days=1)


class Authority:
    """Authority with its certificate in a file, as operators hand it to clients."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self._folder = folder
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._name = _name(f"authority of {folder.name}")
        self._issued = 0
        made = (
            _certificate(self._name, self._name, self._key.public_key(), age=2 * DAY, left=2 * DAY)
            .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
            .add_extension(_use(signs=True), critical=True)
            .sign(self._key, hashes.SHA256())
        )
        self.file = folder / "authority.pem"
        self.file.write_bytes(made.public_bytes(serialization.Encoding.PEM))
        self._identifier = x509.AuthorityKeyIdentifier.from_issuer_public_key(
            self._key.public_key()
        )

    def serving(self, host: str, left: timedelta = DAY) -> ssl.SSLContext:
        """Return the context of a server of that host; its certificate ends in `left`."""
        key = ec.generate_private_key(ec.SECP256R1())
        made = (
            _certificate(_name(host), self._name, key.public_key(), age=2 * DAY, left=left)
            .add_extension(x509.SubjectAlternativeName([x509.DNSName(host)]), critical=False)
            .add_extension(self._identifier, critical=False)
            .add_extension(_use(signs=False), critical=True)
            .sign(self._key, hashes.SHA256())
        )
        self._issued += 1
        file = self._folder / f"{self._issued}.pem"
        file.write_bytes(
            key.private_bytes(
                serialization.Encoding.PEM,
                serialization.PrivateFormat.PKCS8,
                serialization.NoEncryption(),
            )
            + made.public_bytes(serialization.Encoding.PEM)
        )
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(file)
        return context


def _certificate(
    subject: x509.Name,
    issuer: x509.Name,
    key: ec.EllipticCurvePublicKey,
    *,
    age: timedelta,
    left: timedelta,
) -> x509.CertificateBuilder:
    now = datetime.now(UTC)
    return x509.CertificateBuilder(
        issuer_name=issuer,
        subject_name=subject,
        public_key=key,
        serial_number=x509.random_serial_number(),
        not_valid_before=now - age,
        not_valid_after=now + left,
    )


def _name(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


def _use(*, signs: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not signs,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=signs,
        crl_sign=signs,
        encipher_only=False,
        decipher_only=False,
    )
