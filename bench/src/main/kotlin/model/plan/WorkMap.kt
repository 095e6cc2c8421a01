package threadgauge.model.plan

import kotlinx.serialization.Serializable
import threadgauge.model.Load
import threadgauge.model.Situation
import threadgauge.model.request.Request
import threadgauge.model.request.Scenario
import threadgauge.model.request.Step
import threadgauge.model.request.fanOutRequest

/**
 * The question of a map: which stacks fit which work? A place of the map is what a request does, its column, and how
 * many users ask at a time, its row.
 */
@Serializable
data class MapQuestion(
    val sheet: MapSheet,
    /** What a request does in each column, in the unit of [sheet]. Ascending, two or more. */
    val work: List<Int>,
    /** Users of a closed load in each row. Ascending, two or more. */
    val users: List<Int>,
    /** The first look takes about every so many-th column, evenly from the first to the last. */
    val columnStride: Int,
    /** The same of rows. */
    val rowStride: Int,
    /** A stack fits a place where it answers at least this share of what the fastest stack answers there. */
    val enough: Double = 0.85,
    /** Time for the map, in nanoseconds, from the start of the first process. */
    val budgetNanos: Long,
) {
    init {
        require(work.size > 1 && users.size > 1) { "a map of ${work.size} by ${users.size} places" }
        require(work.zipWithNext().all { (a, b) -> a < b } && users.zipWithNext().all { (a, b) -> a < b }) { "$this" }
    }

    /** Milliseconds that a request waits or blocks in [column], on average. 0 where it works instead. */
    fun waitMillis(column: Int): Double = when (sheet) {
        MapSheet.WAIT, MapSheet.BLOCK -> work[column].toDouble()
        MapSheet.SHARE -> work[column] / 100.0 * MapSheet.SHARE_MILLIS
        MapSheet.CPU -> 0.0
        MapSheet.FAN_OUT -> MapSheet.CALL_MILLIS.toDouble()
    }

    /** The situation of a place, whose name says which one it is. Its load is [nanos] long. */
    fun situation(column: Int, row: Int, nanos: Long): Situation = Situation(
        name = nameOf(column, row),
        words = wordsOf(column),
        request = requestOf(column),
        load = Load.Users(users[row], nanos),
        scenarios = if (sheet == MapSheet.SHARE) mixOf(column) else emptyList(),
    )

    private fun wordsOf(column: Int) =
        if (sheet == MapSheet.FAN_OUT) "make ${work[column]} calls" else "${sheet.verb} ${work[column]} ${sheet.unit}"

    private fun requestOf(column: Int) = when (sheet) {
        MapSheet.SHARE -> Request(path = sheet.path)
        MapSheet.FAN_OUT -> fanOutRequest(work[column], MapSheet.CALL_MILLIS)
        MapSheet.WAIT, MapSheet.BLOCK, MapSheet.CPU -> Request(path = "${sheet.path}${work[column]}")
    }

    /** Users draw anew for each request whether it blocks. */
    private fun mixOf(column: Int): List<Scenario> = listOfNotNull(
        Scenario("blocks", work[column].toDouble(), listOf(Step("block", requestOf(column)))),
        Scenario("answers", 100.0 - work[column], listOf(Step("answer", Request(path = "/hello"))))
            .takeIf { work[column] < 100 },
    )

    /** Name of the situation of a place: `wait-100-users-1000`. */
    fun nameOf(column: Int, row: Int): String = "${sheet.verb}-${work[column]}-users-${users[row]}"

    /** Column and row of each place by the name of its situation. */
    fun placesByName(): Map<String, Pair<Int, Int>> =
        work.indices.flatMap { column -> users.indices.map { row -> nameOf(column, row) to (column to row) } }.toMap()
}

/**
 * What the columns of a map are. [path] is that of the contract of all stacks; the number follows, but for [SHARE] and
 * [FAN_OUT]. [verb] and [unit] name it. Where a request [costsAlike], it takes the same time of the processor in every
 * column, so that few numbers of a stack say all.
 */
@Serializable
enum class MapSheet(val path: String, val verb: String, val unit: String, val costsAlike: Boolean = true) {
    /** A request waits, and needs no thread for that where the stack can do without. */
    WAIT("/delay/", "wait", "ms"),

    /** A request blocks its thread, as a driver or a library does that knows no other way. */
    BLOCK("/block/", "block", "ms"),

    /** A request computes: as many random characters. */
    CPU("/api/random/string/", "compute", "characters", costsAlike = false),

    /** So many of a hundred requests block their thread for [SHARE_MILLIS], and the others are answered at once. */
    SHARE("/block/10", "share", "%"),

    /** A request makes so many calls of [CALL_MILLIS] each at a time, in the way that suits the stack's model. */
    FAN_OUT("/fanout/", "fan-out", "calls", costsAlike = false),
    ;

    companion object {
        /** The time that a request of [SHARE] blocks, in milliseconds. */
        const val SHARE_MILLIS = 10

        /** How long the backend takes for each call of [FAN_OUT], in milliseconds. */
        const val CALL_MILLIS = 50
    }
}
