package threadgauge.target

import threadgauge.model.failure.AnswerFault

/**
 * Decides which port of a starting service is measured; null while it is too early to say. [likely] are the ports that
 * the service was assigned, the likeliest first. [open] are all ports that its processes listen on, and [answers] what
 * came from them. [isStarted] means that its processes have used almost no CPU for a while, or that time is up.
 *
 * A likely port is preferred. Another port is accepted only if no likely one is open and the service has finished
 * starting: agents for metrics, management and debugging listen long before the service does.
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
 * Waiting longer will hardly change this answer. A server that answers with 429 or 5xx, or not yet at all, may soon be
 * ready.
 */
val AnswerFault.isFinal: Boolean
    get() = when (this) {
        is AnswerFault.Status -> status in 300..499 && status != TOO_MANY_REQUESTS
        AnswerFault.Certificate, is AnswerFault.Tls, is AnswerFault.Endless -> true
        else -> false
    }

/**
 * Waiting longer will hardly help: every answer of the assigned ports, [told], has been final and the same for
 * [WRONG_AT_ITS_PORT] at [nowNanos]. If none of them answers, one of another port must be final, and all the same for
 * [WRONG_ELSEWHERE].
 */
internal fun isHopeless(told: List<Int>, answers: List<PortsAsked.Answer>, nowNanos: Long): Boolean {
    fun final(answer: PortsAsked.Answer) = answer.fault?.isFinal == true
    val assigned = answers.filter { it.port in told }
    return if (assigned.isEmpty()) {
        answers.any(::final) && answers.all { nowNanos - it.since > WRONG_ELSEWHERE }
    } else {
        assigned.all { final(it) && nowNanos - it.since > WRONG_AT_ITS_PORT }
    }
}

/** Nanoseconds: long enough for a service that opens its port before it knows its paths. */
private const val WRONG_AT_ITS_PORT = 10_000_000_000L

/** Nanoseconds. Another port may serve metrics, and be open long before the one of the service. */
private const val WRONG_ELSEWHERE = 30_000_000_000L

private const val TOO_MANY_REQUESTS = 429

/**
 * How long a service must use almost no CPU to count as started. A service that waits for its database before it opens
 * its port retries within this time.
 */
internal const val QUIET_NANOS = 10_000_000_000L
