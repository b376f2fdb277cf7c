"""Skip what is about native code where nothing is compiled."""

import pytest

from rollin.native.kernels import COMPILED


def pytest_collection_modifyitems(items):
    for item in items:
        if not COMPILED and item.get_closest_marker("compiled"):
            item.add_marker(pytest.mark.skip(reason="nothing is compiled"))
