"""Published answers of the primitives: RFC 5869, RFC 8032, RFC 6962."""

from __future__ import annotations

import pytest

from tables.fairness import sampling, signing, tree
from tests.tables.fairness import log_reader
from tests.tables.fairness.verifier import script

HKDF = [
    (
        "0b" * 22,
        bytes(range(0x0D)).hex(),
        bytes(range(0xF0, 0xFA)).hex(),
        "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865",
    ),
    (
        bytes(range(0x50)).hex(),
        bytes(range(0x60, 0xB0)).hex(),
        bytes(range(0xB0, 0x100)).hex(),
        "b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c"
        "59045a99cac7827271cb41c65e590e09da3275600c2f09b8367793a9aca3db71"
        "cc30c58179ec3e87c14c01d5c1f3434f1d87",
    ),
    (
        "0b" * 22,
        "",
        "",
        "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8",
    ),
]
"""RFC 5869, A.1 to A.3: key, salt, info and output."""

ED25519 = [
    (
        "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        "",
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155"
        "5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
    ),
    (
        "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        "72",
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
        "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
    ),
    (
        "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
        "af82",
        "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac"
        "18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a",
    ),
]
"""RFC 8032, 7.1: private key, public key, message and signature."""

GROUP = 2**252 + 27742317777372353535851937790883648493

LEAVES = [
    "",
    "00",
    "10",
    "2021",
    "3031",
    "40414243",
    "5051525354555657",
    "606162636465666768696a6b6c6d6e6f",
]
ROOTS = [
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]
"""Roots of the first 1 to 8 leaves of the reference log of RFC 6962."""

PATHS = {
    (0, 8): [
        "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
        "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
        "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4",
    ],
    (5, 8): [
        "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
        "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    ],
    (2, 3): ["fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125"],
}
"""Paths of the leaf with an index to the root of a size."""


@pytest.mark.parametrize(("key", "salt", "info", "output"), HKDF)
def test_hkdf(key: str, salt: str, info: str, output: str) -> None:
    made = sampling.expand(
        bytes.fromhex(key),
        bytes.fromhex(info),
        len(output) // 2,
        salt=bytes.fromhex(salt),
    )
    assert made.hex() == output


def test_stream_has_an_end() -> None:
    assert len(sampling.expand(b"", b"", sampling.STREAM_BYTES_MAX)) == 8_160
    with pytest.raises(ValueError, match="8161 bytes"):
        sampling.expand(b"", b"", sampling.STREAM_BYTES_MAX + 1)


@pytest.mark.parametrize(("private", "public", "message", "signature"), ED25519)
def test_ed25519(private: str, public: str, message: str, signature: str) -> None:
    secret, key, text, signed = map(bytes.fromhex, (private, public, message, signature))
    assert signing.public_key_of(secret) == key
    assert signing.sign_message(secret, text) == signed
    assert signing.is_signed(key, text, signed)
    assert script.is_signed(key, text, signed)


def test_forged_signatures_are_refused_by_the_room_and_by_players() -> None:
    _, public, message, signature = ED25519[1]
    key, text, signed = map(bytes.fromhex, (public, message, signature))
    scalar = int.from_bytes(signed[32:], "little") + GROUP
    forged = [
        (key, text + b"0", signed),
        (key, text, bytes([signed[0] ^ 1]) + signed[1:]),
        (key, text, signed[:32] + scalar.to_bytes(32, "little")),
        (key, text, b"\xff" * 64),
        (bytes(31) + b"\x80", text, signed),
        (b"\xff" * 32, text, signed),
        (bytes.fromhex(ED25519[0][1]), text, signed),
    ]
    for case in forged:
        assert not signing.is_signed(*case)
        assert not script.is_signed(*case)
    assert not signing.is_signed(key[:31], text, signed)
    assert not signing.is_signed(key, text, signed[:63])


def test_roots_and_paths_of_the_reference_log() -> None:
    hashes = [tree.leaf_hash(bytes.fromhex(leaf)) for leaf in LEAVES]
    assert tree.root_of([]).hex() == (
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    )
    for size, root in enumerate(ROOTS, 1):
        assert tree.root_of(hashes[:size]).hex() == root
    for (index, size), path in PATHS.items():
        assert [node.hex() for node in log_reader.inclusion_path(index, hashes[:size])] == path


def test_every_path_of_logs_up_to_40_leaves_leads_to_the_root_and_no_other_does() -> None:
    hashes = [tree.leaf_hash(bytes([number])) for number in range(40)]
    for size in range(1, 41):
        root = tree.root_of(hashes[:size])
        for index in range(size):
            path = log_reader.inclusion_path(index, hashes[:size])
            assert log_reader.root_from_path(index, size, hashes[index], path) == root
            node = [hashes[index]]
            assert script.climb(index, size - 1, node, path) == [root]
            with pytest.raises(ValueError, match="path"):
                log_reader.root_from_path(index, size, hashes[index], [*path, root])
            if path:
                with pytest.raises(ValueError, match="path"):
                    log_reader.root_from_path(index, size, hashes[index], path[:-1])
        for old in range(1, size + 1):
            proof = log_reader.consistency_path(old, hashes[:size])
            before = tree.root_of(hashes[:old])
            assert log_reader.is_consistent(old, before, size, root, proof)
            assert not log_reader.is_consistent(old, bytes(32), size, root, proof)
            assert not log_reader.is_consistent(old, before, size, bytes(32), proof)
            assert not log_reader.is_consistent(old, before, size, root, [*proof, root])


def test_places_outside_a_log_are_refused() -> None:
    hashes = [tree.leaf_hash(b"")] * 3
    for index in (-1, 3):
        with pytest.raises(ValueError, match="no leaf"):
            log_reader.inclusion_path(index, hashes)
        with pytest.raises(ValueError, match="no leaf"):
            log_reader.root_from_path(index, 3, hashes[0], [])
    for size in (0, 4):
        with pytest.raises(ValueError, match="no head"):
            log_reader.consistency_path(size, hashes)
