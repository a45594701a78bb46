"""Fair dealing that can be checked: seal, cut, proof and log as pure functions of bytes.

`docs/fairness.md` describes the protocol; numbers of sections in this package are those of its
specification. Nothing here reads a clock, a random source, a file or a server.
"""
