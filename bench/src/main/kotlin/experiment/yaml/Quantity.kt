package threadgauge.experiment.yaml

import java.math.BigDecimal

/** The result of parsing: a value, or a mistake with its remedy. */
internal sealed interface Parsed<out T> {
    data class Good<T>(val value: T) : Parsed<T>
    data class Bad(val problem: String, val remedy: String) : Parsed<Nothing>
}

/**
 * A number with a unit, such as `60s` or `2000/s`. There is no default unit, because "for: 60" is ambiguous. The value
 * is in the base unit, whose factor in [units] is 1.
 */
internal class Quantity(
    private val what: String,
    private val units: Map<String, Double>,
    /** Other spellings of the units, in lower case. */
    private val spellings: Map<String, String>,
    private val usualUnit: String,
    /** The suggested value for a number without a unit. */
    private val withoutUnit: (String) -> String = { it },
) {
    fun parse(text: String): Parsed<Double> {
        val match = NUMBER_AND_UNIT.matchEntire(text.trim()) ?: return notAMeasure(text)
        val (sign, written, unit) = match.destructured
        val number = written.filterNot { it in SEPARATORS }
        val known = units.keys.firstOrNull { it == unit } ?: spellings[unit.lowercase().replace(" ", "")]
        return when {
            sign == "-" ->
                Parsed.Bad("${quoted(text)} is negative", "Write ${number + (known ?: usualUnit)}, for example.")
            number.length > MAX_DIGITS ->
                Parsed.Bad("${quoted(text)} has too many digits", "Use a larger unit: $unitList.")
            unit.isEmpty() ->
                Parsed.Bad(
                    "${quoted(text)} has no unit", "Write ${withoutUnit(number)}$usualUnit, for example; $chooseUnit.",
                )
            known == null ->
                Parsed.Bad(
                    "${quoted(unit)} is not a unit of $what", "Write $number$usualUnit, for example; $chooseUnit.",
                )
            unit != known -> Parsed.Bad("${quoted(unit)} is not how this unit is written here", "Write $number$known.")
            number != written -> Parsed.Bad("${quoted(text)} has marks between its digits", "Write $number$known.")
            else -> Parsed.Good(number.toDouble() * units.getValue(known))
        }
    }

    /** As [parse], and from [least] to [most], both in the words of a file. */
    fun parseWithin(text: String, least: String, most: String): Parsed<Double> {
        val parsed = parse(text)
        if (parsed !is Parsed.Good) return parsed
        val remedy = "Anything from $least to $most."
        return when {
            parsed.value < value(least) -> Parsed.Bad("${quoted(text)} is less than $least", remedy)
            parsed.value > value(most) -> Parsed.Bad("${quoted(text)} is more than $most", remedy)
            else -> parsed
        }
    }

    private fun value(limit: String) = (parse(limit) as Parsed.Good).value

    private fun notAMeasure(text: String) =
        Parsed.Bad(
            "${quoted(text)} is not $what", "Write a number with a unit, such as 60$usualUnit. Units: $unitList.",
        )

    private val chooseUnit get() = if (units.size == 1) "the unit is $unitList" else "the units are $unitList"
    private val unitList get() = units.keys.joinToString(", ")

    companion object {
        private val NUMBER_AND_UNIT = Regex("""([+-]?)(\d[\d_,']{0,40}(?:\.\d{1,40})?) ?(\D{0,20})""")
        private const val SEPARATORS = "_,'"

        /** Digits that a double holds exactly. */
        private const val MAX_DIGITS = 15

        /** Nanoseconds. */
        val duration = Quantity(
            what = "a duration",
            units = linkedMapOf("ns" to 1.0, "us" to 1e3, "ms" to 1e6, "s" to 1e9, "m" to 60e9, "h" to 3600e9),
            spellings = mapOf(
                "µs" to "us", "μs" to "us", "micros" to "us", "millis" to "ms", "msec" to "ms", "milliseconds" to "ms",
                "sec" to "s", "secs" to "s", "second" to "s", "seconds" to "s", "hr" to "h", "hour" to "h",
                "hours" to "h",
                "min" to "m", "mins" to "m", "minute" to "m", "minutes" to "m", "s" to "s", "m" to "m", "h" to "h",
                "ms" to "ms",
            ),
            usualUnit = "s",
        )

        /** Requests per second. */
        val rate = Quantity(
            what = "a rate",
            units = linkedMapOf("/s" to 1.0, "/m" to 1 / 60.0, "/h" to 1 / 3600.0),
            spellings = mapOf(
                "/s" to "/s", "/sec" to "/s", "/second" to "/s", "rps" to "/s", "req/s" to "/s", "persecond" to "/s",
                "s" to "/s",
                "/m" to "/m", "/min" to "/m", "/minute" to "/m", "rpm" to "/m", "/h" to "/h", "/hour" to "/h",
            ),
            usualUnit = "/s",
        )

        private fun hundredTimes(number: String) =
            BigDecimal(number).movePointRight(2).stripTrailingZeros().toPlainString()

        /** A share: 3% is 0.03. */
        val percent = Quantity(
            what = "a percentage",
            units = mapOf("%" to 0.01),
            spellings = mapOf("percent" to "%", "pct" to "%", "pc" to "%", "%" to "%"),
            usualUnit = "%",
            withoutUnit = { if (it.startsWith("0.")) hundredTimes(it) else it },
        )
    }
}
