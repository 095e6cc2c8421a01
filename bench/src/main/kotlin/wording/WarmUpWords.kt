package threadgauge.wording

import threadgauge.model.CurveShape
import threadgauge.model.UnsteadyPart
import threadgauge.model.WarmUp
import threadgauge.model.WarmUpEnd

/** Why a warm-up ended. */
internal fun WarmUp.endWords(): String = when (end) {
    WarmUpEnd.STEADY -> "every situation flat, compiler idle, code no longer growing"
    WarmUpEnd.NONE_ASKED -> "none was asked for"
    WarmUpEnd.BUDGET_USED -> "budget used up; " + unsteady.joinToString("; ") { it.words() }
    null -> reason.orEmpty()
}

internal fun UnsteadyPart.words(): String = when (this) {
    is UnsteadyPart.RateNotFlat -> "$situation ${shape.words}"
    is UnsteadyPart.CompilerBusy -> "the compiler was at work for ${percent(share)} of the last cycle"
    is UnsteadyPart.CodeGrowing -> "compiled code grew by ${percent(share)} in the last cycle"
}

private val CurveShape.words: String
    get() = when (this) {
        CurveShape.FLAT -> "flat"
        CurveShape.TOO_SHORT -> "too short to say"
        CurveShape.SILENT -> "answers nothing"
        CurveShape.RISING -> "still rising"
        CurveShape.FALLING -> "still falling"
        CurveShape.JUMPED -> "has just jumped"
        CurveShape.ERRATIC -> "too uneven to say"
    }
