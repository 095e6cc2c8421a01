package threadgauge.server.work

/** Longest wait of `/delay`, `/block` and `/offload`. */
const val MAX_MILLIS = 60_000

/**
 * A call that blocks its thread for [millis] milliseconds, as a driver or a file would. `/block` and `/offload` differ
 * only in the thread.
 */
fun blockThread(millis: Long) = Thread.sleep(millis)

/** Bodies, equal on every stack. */
const val HELLO = "hello"

fun waited(millis: Long) = "waited $millis"

fun blocked(millis: Long) = "blocked $millis"

fun offloaded(millis: Long) = "offloaded $millis"
