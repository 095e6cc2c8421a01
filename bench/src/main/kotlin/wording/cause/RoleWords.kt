package threadgauge.wording.cause

import threadgauge.model.judgement.cause.ThreadRole

/** The role in a table. */
internal val ThreadRole.words: String
    get() = when (this) {
        ThreadRole.EVENT_LOOP -> "event loops"
        ThreadRole.REQUEST -> "request threads"
        ThreadRole.CARRIER -> "carriers of virtual threads"
        ThreadRole.VIRTUAL -> "virtual threads"
        ThreadRole.BLOCKING_POOL -> "pool for tasks"
        ThreadRole.JVM -> "the JVM"
        ThreadRole.OTHER -> "other or unknown"
    }
