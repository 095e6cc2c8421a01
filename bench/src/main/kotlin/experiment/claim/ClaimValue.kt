package threadgauge.experiment.claim

import threadgauge.experiment.yaml.Parsed
import threadgauge.experiment.yaml.Quantity
import threadgauge.experiment.yaml.quoted
import threadgauge.model.claim.ClaimUnit

/** [text] in this unit. A unit is required: `50ms` and `0.05s` are the same. */
internal fun ClaimUnit.parse(text: String): Parsed<Double> = when (this) {
    ClaimUnit.PER_SECOND -> Quantity.rate.parse(text)
    ClaimUnit.MILLIS -> Quantity.duration.parse(text).map { it / 1e6 }
    ClaimUnit.MICROS -> Quantity.duration.parse(text).map { it / 1e3 }
    ClaimUnit.SHARE -> Quantity.percent.parse(text)
    ClaimUnit.MEGABYTES -> megabytes.parse(text)
    ClaimUnit.KILOBYTES -> megabytes.parse(text).map { it * 1e3 }
    ClaimUnit.COUNT -> plainNumber(text)
}

/** One value, or a range with two dots: `30ms..50ms`. */
internal fun ClaimUnit.parseRange(text: String): Parsed<Pair<Double, Double>> {
    val ends = text.split("..").map { parse(it) }
    val wrong = ends.filterIsInstance<Parsed.Bad>().firstOrNull()
    val values = ends.filterIsInstance<Parsed.Good<Double>>().map { it.value }
    return when {
        wrong != null -> wrong
        values.size > 2 -> Parsed.Bad(
            "${quoted(text)} has more than two ends", "Write $example, or a range such as $example..$example.",
        )
        values.first() > values.last() ->
            Parsed.Bad("${quoted(text)} ends below its start", "PlannedTrial the two round.")
        else -> Parsed.Good(values.first() to values.last())
    }
}

/** A value in this unit, for messages. */
internal val ClaimUnit.example: String
    get() = when (this) {
        ClaimUnit.PER_SECOND -> "2000/s"
        ClaimUnit.MILLIS -> "50ms"
        ClaimUnit.MICROS -> "120us"
        ClaimUnit.SHARE -> "0.1%"
        ClaimUnit.MEGABYTES -> "195MB"
        ClaimUnit.KILOBYTES -> "24kB"
        ClaimUnit.COUNT -> "200"
    }

internal fun plainNumber(text: String): Parsed<Double> =
    if (NUMBER.matches(text)) Parsed.Good(text.toDouble())
    else Parsed.Bad("${quoted(text)} is not a plain number", "Write digits alone, such as 14 or 1.5.")

private fun Parsed<Double>.map(change: (Double) -> Double): Parsed<Double> = when (this) {
    is Parsed.Good -> Parsed.Good(change(value))
    is Parsed.Bad -> this
}

/** Megabytes of a million bytes, as in reports. */
private val megabytes = Quantity(
    what = "a size",
    units = linkedMapOf("kB" to 1e-3, "MB" to 1.0, "GB" to 1e3),
    spellings = mapOf("kb" to "kB", "mb" to "MB", "m" to "MB", "megabytes" to "MB", "gb" to "GB", "g" to "GB"),
    usualUnit = "MB",
)

private val NUMBER = Regex("""\d{1,12}(\.\d{1,12})?""")
