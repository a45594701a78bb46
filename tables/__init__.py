"""Tables play hands; their bots and checks use the client package of this repository by path."""

import sys
from pathlib import Path

CLIENT = str(Path(__file__).resolve().parents[1] / "client")
if CLIENT not in sys.path:
    sys.path.append(CLIENT)
