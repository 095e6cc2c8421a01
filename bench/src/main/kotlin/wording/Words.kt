package threadgauge.wording

import java.util.Locale
import kotlin.math.abs
import kotlin.math.floor
import kotlin.math.log10

/** A share that was measured: 0.123 as "12 %", 0.0123 as "1.2 %", 0.00012 as "0.012 %"; [space] is before the sign. */
internal fun percent(share: Double, space: String = " "): String {
    val decimals = when (abs(share)) {
        0.0 -> 0
        in 0.0..<SMALL -> 1 - floor(log10(abs(share) * 100)).toInt()
        in SMALL..<0.1 -> 1
        else -> 0
    }
    return "%.${decimals}f".format(Locale.ROOT, share * 100) + space + "%"
}

/** Three digits where they mean something: 0.9876 as "0.988", 9.571 as "9.57", 10 as "10", 12345.6 as "12,346". */
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

/** "a", "a and b", "a, b and c"; of more than [MAX_NAMED] the first few, and how many more. */
internal fun listed(names: List<String>): String {
    val told = if (names.size > MAX_NAMED) names.take(FIRST_NAMED) + "${names.size - FIRST_NAMED} more" else names
    return if (told.size < 2) told.joinToString() else told.dropLast(1).joinToString(", ") + " and " + told.last()
}

/**
 * [all], which begin with the most, each as [words] tell it. Of more than [MAX_NAMED] the first few, how many more, and
 * the last one's [figure]: "a 30/s, b 20/s, c 10/s and 9 more down to 1/s".
 */
internal fun <T> ranked(all: List<T>, figure: (T) -> String, words: (T) -> String): String {
    if (all.size <= MAX_NAMED) return all.joinToString(", ", transform = words)
    val first = all.take(FIRST_NAMED).joinToString(", ", transform = words)
    return "$first and ${all.size - FIRST_NAMED} more down to ${figure(all.last())}"
}

/** Below this share two digits are shown, however small they are. */
private const val SMALL = 0.01

/** More names than these are no sentence that anybody reads: the tables below it name all. */
internal const val MAX_NAMED = 6

/** Of too many names, those that are told. */
internal const val FIRST_NAMED = 3
