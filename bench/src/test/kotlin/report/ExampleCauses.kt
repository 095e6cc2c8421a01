package threadgauge.report

import threadgauge.model.judgement.SituationJudgement
import threadgauge.model.judgement.cause.Because
import threadgauge.model.judgement.cause.CodePlace
import threadgauge.model.judgement.cause.GroupWait
import threadgauge.model.judgement.cause.Holder
import threadgauge.model.judgement.cause.PartShare
import threadgauge.model.judgement.cause.RoleGroup
import threadgauge.model.judgement.cause.ThreadRole
import threadgauge.model.judgement.cause.TimeKind
import threadgauge.model.judgement.cause.TimePart
import threadgauge.model.profile.Frame
import threadgauge.model.profile.ProfileGap
import threadgauge.model.profile.ProfilePart

/** The usual example with **invented** causes in each cell. [record] has no profiles, which a report must not need. */
internal fun exampleWithCauses(): Example {
    val record = exampleRecord()
    val judgement = exampleJudgement(record)
    return Example(record, judgement.copy(situations = judgement.situations.map { it.explained() }))
}

private fun SituationJudgement.explained() = copy(
    cells = cells.map { cell -> cell.copy(because = EXAMPLE_CAUSES[cell.stack]) },
)

private val HANDLER = CodePlace(
    Frame("shop.WaitsKt", "sleep", 10, "Waits.kt"), isOwn = true, calls = Frame("java.lang.Thread", "sleep"),
    calledFrom = Frame("shop.Endpoints", "block", 31, "Endpoints.kt"),
)
private val SLEEP = TimePart(TimeKind.SLEEP, 100_100.0, HANDLER)
private val CPU = TimePart(TimeKind.CPU, 180.0)

private val EXAMPLE_CAUSES = mapOf(
    "spring-mvc" to Because(
        trial = 1,
        holder = Holder.RequestThreads(
            "http-nio-#-exec-#", ThreadRole.REQUEST, 200, 0.99, GroupWait(TimeKind.SLEEP, HANDLER, null, 0.98),
        ),
        split = listOf(TimePart(TimeKind.THREAD, 890_000.0, group = "http-nio-#-exec-#"), SLEEP, CPU),
        meanMicros = 990_280.0, inFlight = 1_980.0,
        roles = listOf(
            RoleGroup(
                "http-nio-#-exec-#", ThreadRole.REQUEST, 200.0, cpuShare = 0.8, busyShare = 0.99,
                longestWait = GroupWait(TimeKind.SLEEP, HANDLER, null, 0.98),
            ),
            RoleGroup("C# CompilerThread#", ThreadRole.JVM, 2.0, 0.1, 0.02),
        ),
        costShare = 0.021,
    ),
    "spring-mvc-virtual" to Because(
        trial = 1, holder = Holder.Load(2_000, null, listOf(PartShare(SLEEP, 0.66)), 0.8),
        split = listOf(SLEEP, TimePart(TimeKind.UNACCOUNTED, 50_000.0), CPU), meanMicros = 150_280.0,
        inFlight = 1_990.0,
    ),
    "spring-webflux" to Because(
        trial = 1,
        holder = Holder.EventLoop(
            "reactor-http-epoll-#", 1, 0.98, 0.97, GroupWait(TimeKind.SLEEP, HANDLER, null, 0.97),
        ),
        split = listOf(SLEEP, CPU), meanMicros = 100_280.0, inFlight = 397.0, overlap = 1.3, costShare = 0.0,
        gaps = listOf(ProfileGap(ProfilePart.POOLS, "no bean <answers>")),
    ),
    "ktor-netty" to Because(
        trial = 1, holder = Holder.Unknown(listOf(PartShare(TimePart(TimeKind.UNACCOUNTED, 900.0), 0.9))),
        split = listOf(TimePart(TimeKind.UNACCOUNTED, 900.0), TimePart(TimeKind.CPU, 100.0)), meanMicros = 1_000.0,
        inFlight = 64.0,
    ),
)
