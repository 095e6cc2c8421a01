package threadgauge.wording.cause

import threadgauge.model.judgement.cause.CodePlace
import threadgauge.model.profile.Frame

/** "Endpoints.kt:31"; where the file is unknown, "Endpoints.block:31". */
internal fun CodePlace.words(): String = at.position()

/** With the place in another file from which it was called: "Waits.kt:10, called from Endpoints.kt:31". */
internal fun CodePlace.wordsWithCaller(): String =
    words() + calledFrom?.let { ", called from ${it.position()}" }.orEmpty()

/** The method that the user's code waits in: "Thread.sleep"; null where it is unknown. */
internal val CodePlace.method: String? get() = calls?.name()

/** "Endpoints.block at Endpoints.kt:31"; where a library does the work, "Pool.borrow, called at Endpoints.kt:31". */
internal fun CodePlace.methodAndPlace(): String = when {
    isOwn && method != null -> "$method, called at ${words()}"
    hasLine -> "${at.name()} at ${words()}"
    else -> at.name()
}

private val CodePlace.hasLine get() = at.file != null && at.line != null

private fun Frame.position(): String = if (file != null && line != null) "$file:$line" else "${name()}${lineAfter()}"

private fun Frame.lineAfter() = line?.let { ":$it" }.orEmpty()

private fun Frame.name(): String = "${shortClassName(type)}.$method"

/** Without its package and what the compiler adds: `shop.Shop$order$1` as "Shop". */
internal fun shortClassName(type: String): String {
    val simple = type.substringAfterLast('.').substringBefore('/')
    return simple.substringBefore('$').ifEmpty { simple }
}
