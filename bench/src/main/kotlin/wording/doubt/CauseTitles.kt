package threadgauge.wording.doubt

import threadgauge.model.doubt.CauseId

/** A heading for doubts of this cause. */
internal val CauseId.title: String
    get() = when (this) {
        CauseId.BROKEN_PROMISE -> "A sale broke a promise"
        CauseId.OTHER_MODEL -> "Another concurrency model than described"
        CauseId.MISREAD_COUNTER -> "A counter was misread"
        CauseId.FAILED_REQUESTS -> "Failed requests"
        CauseId.UNEQUAL_WORK -> "Unequal work"
        CauseId.OTHER_CONDITIONS -> "Other conditions"
        CauseId.DRIFT -> "Measured one after the other"
        CauseId.UNFINISHED_RUN -> "The run was interrupted"
        CauseId.MISSING_FIGURES -> "Missing figures"
        CauseId.SHORT_LOAD -> "The load was too short"
        CauseId.OTHER_LOAD -> "The load was not the one described"
        CauseId.LEFT_OVER_REQUESTS -> "Requests of the previous load"
        CauseId.LOAD_AGENT -> "The load agent"
        CauseId.NOT_WARM -> "Not warm"
        CauseId.SHARED_CORES -> "Shared cores"
        CauseId.FILE_LIMIT -> "Open files"
        CauseId.SHORT_OF_MEMORY -> "Too little memory"
        CauseId.RUNNING_SERVICE -> "A service that ran already"
        CauseId.GUESSED_PORT -> "A guessed port"
        CauseId.HOST -> "The host took time"
        CauseId.OTHER_PROGRAMS -> "Other programs"
        CauseId.MACHINE_SPEED -> "The machine became faster or slower"
        CauseId.FEW_ANSWERS -> "Too few answers for p99"
        CauseId.PAUSED -> "The run stood still"
        CauseId.IN_TURNS -> "Not side by side"
        CauseId.FEW_TRIALS -> "Too few trials"
        CauseId.ODD_TRIAL -> "A trial that differs from the others"
        CauseId.IMPRECISE_KNEE -> "An imprecise knee"
    }
