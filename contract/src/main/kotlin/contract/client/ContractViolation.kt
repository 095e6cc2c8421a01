package threadgauge.contract.client

/** Ends a check. [message] says what was asked, what was expected and what came. */
class Broken(message: String) : RuntimeException(message, null, false, false)
