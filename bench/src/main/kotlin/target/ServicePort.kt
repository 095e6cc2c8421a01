package threadgauge.target

import threadgauge.model.failure.AnswerFault

/**
 * The port at which a service that starts is to be measured, decided from what was seen so far; null while it is too
 * early to say. [likely] are the ports that the service was told to serve, the likeliest first; [open] all that its
 * processes listen on, [answers] what came from them. [isStarted]: its processes have used next to no CPU for a while,
 * or time is up.
 *
 * A likely port comes first. Another one is believed only where none of those is open and the service is done with its
 * start: agents for metrics, management and debuggers listen long before the service does.
 */
internal fun servicePort(
    likely: List<Int>,
    open: Collection<Int>,
    answers: List<PortsAsked.Answer>,
    isStarted: Boolean,
): PortsAsked.Answer? {
    val correct = answers.filter { it.fault == null }
    likely.firstNotNullOfOrNull { port -> correct.firstOrNull { it.port == port } }?.let { return it }
    if (!isStarted || likely.any { it in open }) return null
    return correct.minByOrNull { it.port }
}

/**
 * Waiting longer will hardly mend what these say. A server that asks for patience, with 429 or a status from 500 on, or
 * that does not answer yet, may be about to be ready.
 */
val AnswerFault.isFinal: Boolean
    get() = when (this) {
        is AnswerFault.Status -> status in 300..499 && status != TOO_MANY_REQUESTS
        AnswerFault.Certificate, is AnswerFault.Tls, is AnswerFault.Endless -> true
        else -> false
    }

private const val TOO_MANY_REQUESTS = 429

/** Also a service that waits for its database before it opens its port tries again within such a time. */
internal const val QUIET_NANOS = 10_000_000_000L
