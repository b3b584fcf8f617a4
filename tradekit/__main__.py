"""`python -m tradekit`."""

import sys

from tradekit.cli import main

sys.exit(main())
