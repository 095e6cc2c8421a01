package threadgauge.report.json

import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import threadgauge.model.doubt.Doubt
import threadgauge.wording.doubt.remedy
import threadgauge.wording.doubt.seen
import threadgauge.wording.doubt.source

/**
 * This array, which was written from [doubts], each with what was seen, what to do and why the limit is where it is.
 */
internal fun JsonElement.worded(doubts: List<Doubt>): JsonArray =
    besides(doubts) { with("seen" to it.seen, "remedy" to it.remedy, "source" to it.source) }
