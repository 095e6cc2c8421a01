package threadgauge.tickets.sale

/**
 * A store that services share besides the ledger cannot be reached: a gate, a count, a lock or a queue. The ledger is
 * not affected.
 */
class SharedStoreUnavailable(cause: Throwable) : RuntimeException(cause.message, cause)
