"""One core for each thread of ours: the threads that NumPy's matrix products would start are off.

Threads run whole examples here, so threads inside a product would only get in their way; and the
order in which such threads add up is theirs to choose, where ours is always the same.
"""

from threadpoolctl import threadpool_limits


def one_core_each() -> threadpool_limits:
    """Give a context in which a matrix product stays on the core it was started on."""
    return threadpool_limits(limits=1, user_api="blas")
