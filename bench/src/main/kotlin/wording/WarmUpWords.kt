package threadgauge.wording

import threadgauge.model.plan.CurveShape
import threadgauge.model.plan.UnsteadyPart
import threadgauge.model.plan.WarmUp
import threadgauge.model.plan.WarmUpEnd

/** Why a warm-up ended. */
internal fun WarmUp.endWords(): String = when (end) {
    WarmUpEnd.STEADY -> "all situations flat, compiler idle, compiled code no longer growing"
    WarmUpEnd.NONE_ASKED -> "disabled"
    WarmUpEnd.BUDGET_USED -> "budget used up; " + unsteady.joinToString("; ") { it.words() }
    null -> reason.orEmpty()
}

internal fun UnsteadyPart.words(): String = when (this) {
    is UnsteadyPart.RateNotFlat -> "$situation ${shape.words}"
    is UnsteadyPart.CompilerBusy -> "the compiler was busy for ${percent(share)} of the last cycle"
    is UnsteadyPart.CodeGrowing -> "compiled code grew by ${percent(share)} in the last cycle"
}

private val CurveShape.words: String
    get() = when (this) {
        CurveShape.FLAT -> "flat"
        CurveShape.TOO_SHORT -> "too short to tell"
        CurveShape.SILENT -> "no answers"
        CurveShape.RISING -> "still rising"
        CurveShape.FALLING -> "still falling"
        CurveShape.JUMPED -> "jumped at the end"
        CurveShape.ERRATIC -> "too uneven to tell"
    }
