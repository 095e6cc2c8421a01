package threadgauge.wording

import threadgauge.model.Pause

/** What was noticed, and what became of the measurement; a whole sentence. */
internal fun Pause.words(): String {
    val what = if (round == null) "$situation of $stack" else "round $round of $situation"
    val then = if (isMeasuredAnew) "$what is measured anew" else "$what is kept as it was measured"
    return "The run stood still for ${seconds(millis)}: the machine slept, or Threadgauge was stopped. So $then."
}

/** 1234.5 ms as "1.23 s". */
internal fun seconds(millis: Double): String = digits(millis / 1e3) + " s"
