"""The verifier of players, loaded from the one file that is served to them."""

from __future__ import annotations

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

SCRIPT = Path(__file__).parents[3] / "static" / "fair" / "verify.py"


def _loaded() -> Any:
    spec = spec_from_file_location("verify", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


script = _loaded()


def checked(proof: object, log_key: bytes | None, call_key: bytes) -> tuple[Any, Any]:
    """Results and remarks of the script; without a log key it leaves the log out."""
    results, remarks = script.verify(proof, [log_key] if log_key else [], [call_key])
    return results, remarks


def failures(proof: object, log_key: bytes | None, call_key: bytes) -> set[str]:
    """Codes of the checks that fail, {"unreadable"} for a file that is no proof."""
    try:
        results, _ = checked(proof, log_key, call_key)
    except script.Unreadable:
        return {"unreadable"}
    return {code for code, holds, _ in results if not holds}
