package threadgauge.report

import threadgauge.model.judgement.Doubt
import threadgauge.model.judgement.Validity
import threadgauge.model.judgement.Verdict

internal val EXAMPLE_ANSWER = listOf(
    "For requests that only wait, event loops and coroutines serve most; virtual threads come within 11 % of them with the " +
        "code of plain Spring MVC.",
    "As soon as a request blocks its thread, virtual threads are the only model that does not stand at the ceiling of a setting.",
)

internal val EXAMPLE_FIRST_LOOK = listOf("So few trials cannot answer this: the figures below are a first look.")

/** By the name of the situation. */
internal val EXAMPLE_VERDICTS: Map<String, Verdict> = mapOf(
    "wait" to Verdict.Fits(
        listOf("spring-webflux", "ktor-netty"),
        "For requests that only wait (100 ms), Spring WebFlux and Ktor on Netty serve 11 % more than virtual threads and do " +
            "not differ from each other.",
    ),
    "block" to Verdict.DecidedBySetting(
        listOf("spring-mvc"),
        "For requests that block their thread (100 ms), Spring MVC stands at the ceiling of its 200 threads and both event " +
            "loops at that of their few; only virtual threads follow the users.",
    ),
    "hello" to Verdict.CannotTell(
        "For requests that do next to nothing, this measurement cannot tell Ktor on Netty from Spring WebFlux: the load " +
            "agent was near its own limit.",
    ),
)

internal val EXAMPLE_NOT_PINNED = Doubt(
    "not-pinned", "Server and load agent shared all cores.", "Run on a machine with four cores or more.", Validity.SUSPECT,
)

private val HEADROOM = Doubt(
    "agent-headroom",
    "The load agent worked at 78 % of its ceiling of 148,000/s; above 70 % it may be what was measured.",
    "Give the load agent more cores, or run it on a second machine.",
    Validity.INVALID,
)

private val STEAL = Doubt(
    "steal",
    "The hypervisor took away 3.1 % of the processor time in trial 4; up to 1 % is usual.",
    "Repeat on a machine of your own, or at a quieter hour.",
    Validity.SUSPECT,
)

private val NOT_STEADY = Doubt(
    "not-steady",
    "Throughput still rose by 4 % in the last iterations of warm-up of trial 2.",
    "Give the warm-up a larger budget.",
    Validity.SUSPECT,
)

/** By the names of situation and stack. */
internal val EXAMPLE_DOUBTS: Map<Pair<String, String>, List<Doubt>> = mapOf(
    ("hello" to "spring-webflux") to listOf(HEADROOM),
    ("hello" to "ktor-netty") to listOf(HEADROOM, STEAL),
    ("wait" to "spring-mvc-virtual") to listOf(NOT_STEADY),
)
