package threadgauge.tickets.sale

/** Fast memory that services share, a gate, a count or a lock, cannot be reached. The books are not concerned. */
class SharedStoreUnavailable(cause: Throwable) : RuntimeException(cause.message, cause)
