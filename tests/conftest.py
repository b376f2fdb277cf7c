"""Where nothing is compiled: skip what is about native code, and what would take too long."""

import pytest

from rollin.native.kernels import COMPILED

REASONS = {"compiled": "nothing is compiled", "long": "takes long as plain Python"}


def pytest_collection_modifyitems(items):
    for item in items:
        for marker, reason in REASONS.items():
            if not COMPILED and item.get_closest_marker(marker):
                item.add_marker(pytest.mark.skip(reason=reason))
