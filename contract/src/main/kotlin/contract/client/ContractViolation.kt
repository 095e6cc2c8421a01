package threadgauge.contract.client

/** Ends a check that failed. [message] holds the request, the expected answer and the actual one. */
class ContractViolation(message: String) : RuntimeException(message, null, false, false)
