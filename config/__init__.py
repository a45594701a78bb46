"""Settings, access to time, randomness and servers, and the entry points of the processes."""

import os
import sys

# The folder of a release is found by a link that an upgrade points elsewhere: a process that goes
# on with its own release takes libraries that it has not imported yet from where the link led.
sys.path[:] = [os.path.realpath(path) if path else path for path in sys.path]
