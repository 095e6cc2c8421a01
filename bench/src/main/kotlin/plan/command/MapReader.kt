package threadgauge.plan.command

import kotlin.math.ceil
import kotlin.math.pow
import kotlin.math.roundToInt
import threadgauge.experiment.stack.Found
import threadgauge.experiment.stack.StackCatalogue
import threadgauge.experiment.yaml.ExperimentMistakes
import threadgauge.experiment.yaml.nanos
import threadgauge.experiment.yaml.nearestRemedy
import threadgauge.experiment.yaml.oneMistake
import threadgauge.experiment.yaml.quoted
import threadgauge.model.Stack
import threadgauge.model.plan.MapQuestion
import threadgauge.model.plan.MapSheet
import threadgauge.model.plan.Plan
import threadgauge.plan.planMap

/** The arguments of `threadgauge map`, unchecked. Null where an option was not given. */
class MapOrder(
    val stacks: List<String> = emptyList(),
    val sheet: String? = null,
    val budget: String? = null,
    val users: String? = null,
    val work: String? = null,
    val seed: String? = null,
)

/** Throws [ExperimentMistakes] with all mistakes in [order]. */
fun readMap(order: MapOrder, catalogue: StackCatalogue): Plan {
    val mistakes = Mistakes()
    val names = order.stacks.ifEmpty { TOUR }
    val stacks = names.distinct().mapNotNull { name -> mistakes.of { stackOf(name, catalogue) } }
    if (names.distinct().size < 2) {
        mistakes.add("map", "a map compares stacks, and there is one", "Name two to $MAX_STACKS.")
    }
    if (names.size > MAX_STACKS) {
        mistakes.add("map", "more than $MAX_STACKS stacks", "All are alive together: name $MAX_STACKS or fewer.")
    }
    val sheet = mistakes.of { sheetOf(order.sheet) } ?: MapSheet.WAIT
    val users = mistakes.of { rangeOf("--users", order.users ?: usualUsers(sheet), 1..MAX_USERS) }
    val work = mistakes.of { rangeOf("--work", order.work ?: usualWork(sheet), 1..maxWork(sheet)) }
    val budget = mistakes.of { budgetOf(order.budget ?: USUAL_BUDGET) }
    val seed = order.seed?.let { text ->
        text.toLongOrNull() ?: null.also {
            mistakes.add("--seed", "${quoted(text)} is no whole number", "Write one, such as 7, or leave it out.")
        }
    }
    if (sheet == MapSheet.FAN_OUT && users != null && work != null && users.last.toLong() * work.last > MAX_CALLS) {
        mistakes.add(
            "--users", "${users.last} users of ${work.last} calls make ${users.last.toLong() * work.last} at a time",
            "A server opens a connection for each: stay within $MAX_CALLS.",
        )
    }
    mistakes.throwAll()
    val columns = gridOf(checkNotNull(work))
    val rows = gridOf(checkNotNull(users))
    val question = MapQuestion(
        sheet, columns, rows, strideOf(columns.size), strideOf(rows.size), budgetNanos = checkNotNull(budget),
    )
    return planMap(question, stacks, seed ?: 1, catalogue.services)
}

/** The time in nanoseconds that [text] gives to a map. Throws [ExperimentMistakes]. */
fun readMapBudget(text: String): Long {
    val mistakes = Mistakes()
    val budget = mistakes.of { budgetOf(text) }
    mistakes.throwAll()
    return checkNotNull(budget)
}

private fun budgetOf(text: String): Long =
    optionValue("--budget", text) { nanos(it, "budget", MIN_BUDGET, "24h") }

private fun stackOf(name: String, catalogue: StackCatalogue): Stack = when (val found = catalogue.find(name)) {
    is Found.Stack -> found.stack
    is Found.Nothing -> throw oneMistake("map", found.problem, found.remedy())
}

private fun sheetOf(text: String?): MapSheet = when (text) {
    null -> MapSheet.WAIT
    else -> MapSheet.entries.firstOrNull { it.verb == text } ?: throw oneMistake(
        "--sheet", "there is no sheet ${quoted(text)}", nearestRemedy(text, MapSheet.entries.map { it.verb }),
    )
}

/** `10..5000`. */
private fun rangeOf(option: String, text: String, allowed: IntRange): IntRange {
    val (from, to) = RANGE.matchEntire(text.trim())?.destructured?.let { (a, b) -> a.toIntOrNull() to b.toIntOrNull() }
        ?: (null to null)
    if (from == null || to == null) {
        throw oneMistake(option, "${quoted(text)} is no range", "Write two numbers: 10..1000.")
    }
    if (from !in allowed || to !in allowed) {
        throw oneMistake(option, "$text reaches beyond ${allowed.first}..${allowed.last}", "Stay within that.")
    }
    if (to < LEAST_SPAN * from) {
        throw oneMistake(option, "$text is too narrow for a map", "End at $LEAST_SPAN times the beginning or more.")
    }
    return from..to
}

/** Whole numbers from one end of [range] to the other, about ten for a factor of ten: each is 1.26 times the last. */
internal fun gridOf(range: IntRange): List<Int> {
    val steps = generateSequence(0) { it + 1 }.map { (range.first * 10.0.pow(it / 10.0)).roundToInt() }
        .takeWhile { it < range.last }.distinct().toList()
    // No sliver at the end.
    val kept = if (steps.size > 1 && range.last < steps.last() * LAST_STEP) steps.dropLast(1) else steps
    return kept + range.last
}

/** About five places on the first look. */
private fun strideOf(count: Int): Int = ceil((count - 1) / 4.0).toInt().coerceIn(1, count - 1)

private fun usualWork(sheet: MapSheet) = when (sheet) {
    MapSheet.WAIT -> "1..250"
    MapSheet.BLOCK -> "1..50"
    MapSheet.CPU -> "100..100000"
    MapSheet.SHARE -> "1..100"
    MapSheet.FAN_OUT -> "1..50"
}

/** A stack that blocks few event loops takes minutes to work off the queue of thousands; a user makes many calls. */
private fun usualUsers(sheet: MapSheet) = when (sheet) {
    MapSheet.WAIT, MapSheet.CPU -> "10..2000"
    MapSheet.BLOCK, MapSheet.SHARE -> "10..500"
    MapSheet.FAN_OUT -> "5..200"
}

private fun maxWork(sheet: MapSheet) = when (sheet) {
    MapSheet.WAIT, MapSheet.BLOCK -> MAX_MILLIS
    MapSheet.CPU -> MAX_CHARACTERS
    MapSheet.SHARE, MapSheet.FAN_OUT -> 100
}

/** Those of the tour. */
private val TOUR = listOf("spring-mvc", "spring-mvc-virtual", "spring-webflux", "ktor-netty")
private val RANGE = Regex("""(\d{1,7})\s*\.\.\s*(\d{1,7})""")
private const val USUAL_BUDGET = "30m"
private const val MIN_BUDGET = "1m"
private const val MAX_STACKS = 6
private const val MAX_USERS = 20_000
private const val MAX_MILLIS = 1_000
private const val MAX_CHARACTERS = 100_000

/** Calls of all users together: each takes a file of the server and one of the backend, which have 20,000. */
private const val MAX_CALLS = 15_000
private const val LEAST_SPAN = 2
private const val LAST_STEP = 1.1
