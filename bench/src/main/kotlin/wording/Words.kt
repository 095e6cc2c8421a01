package threadgauge.wording

import java.util.Locale
import kotlin.math.abs
import kotlin.math.floor
import kotlin.math.log10

/** A measured share, 0 to 1: 0.123 as "12 %", 0.0123 as "1.2 %", 0.00012 as "0.012 %". [space] is before the sign. */
internal fun percent(share: Double, space: String = " "): String {
    val decimals = when (abs(share)) {
        0.0 -> 0
        in 0.0..<SMALL -> 1 - floor(log10(abs(share) * 100)).toInt()
        in SMALL..<0.1 -> 1
        else -> 0
    }
    return "%.${decimals}f".format(Locale.ROOT, share * 100) + space + "%"
}

/**
 * Three significant digits, and all of the whole part: 0.9876 as "0.988", 9.571 as "9.57", 10 as "10", 12345.6 as
 * "12,346".
 */
internal fun digits(value: Double): String = when {
    value >= 100 || value == Math.rint(value) -> whole(value)
    value >= 10 -> "%.1f".format(Locale.ROOT, value)
    value >= 1 -> "%.2f".format(Locale.ROOT, value)
    else -> "%.3f".format(Locale.ROOT, value)
}

/** 12345.6 as "12,346". */
internal fun whole(value: Double): String = whole(Math.round(value))

/** 12345 as "12,345". */
internal fun whole(value: Long): String = "%,d".format(Locale.ROOT, value)

/** 5_123_456_789 as "5,123 MB". */
internal fun megabytes(bytes: Long): String = whole(bytes / 1e6) + " MB"

/** "a", "a and b", "a, b and c"; of more than [MAX_NAMED] the first few, and how many more. */
internal fun listed(names: List<String>): String {
    val shown = if (names.size > MAX_NAMED) names.take(FIRST_NAMED) + "${names.size - FIRST_NAMED} more" else names
    if (shown.size < 2) return shown.joinToString()
    return shown.dropLast(1).joinToString(", ") + " and " + shown.last()
}

/**
 * [all] in descending order, each in its [words]. Of more than [MAX_NAMED] the first few, the number of the others, and
 * the [figure] of the last: "a 30/s, b 20/s, c 10/s and 9 more down to 1/s".
 */
internal fun <T> ranked(all: List<T>, figure: (T) -> String, words: (T) -> String): String {
    if (all.size <= MAX_NAMED) return all.joinToString(", ", transform = words)
    val first = all.take(FIRST_NAMED).joinToString(", ", transform = words)
    return "$first and ${all.size - FIRST_NAMED} more down to ${figure(all.last())}"
}

/** Smaller shares are shown with two significant digits. */
private const val SMALL = 0.01

/** A sentence with more names is hard to read. The tables name all. */
internal const val MAX_NAMED = 6

/** How many names a sentence shows where there are more than [MAX_NAMED]. */
internal const val FIRST_NAMED = 3
