package threadgauge.server.work

/** Longest wait, in milliseconds, that `/delay`, `/block` and `/offload` accept. */
const val MAX_MILLIS = 60_000

/**
 * A call that blocks the thread it runs on for [millis] milliseconds, as a driver or a file would.
 * Which thread that is, is the only thing in which `/block` and `/offload` differ.
 */
fun blockThread(millis: Long) = Thread.sleep(millis)

/** Bodies, so that every stack says the same words. */
const val HELLO = "hello"

fun waited(millis: Long) = "waited $millis"

fun blocked(millis: Long) = "blocked $millis"

fun offloaded(millis: Long) = "offloaded $millis"
