package threadgauge.report.json

import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import threadgauge.model.doubt.Doubt
import threadgauge.wording.doubt.remedy
import threadgauge.wording.doubt.seen
import threadgauge.wording.doubt.source

/**
 * This array, which was serialized from [doubts], with the sentences of each: seen, remedy and source of the limit.
 */
internal fun JsonElement.worded(doubts: List<Doubt>): JsonArray =
    besides(doubts) { with("seen" to it.seen, "remedy" to it.remedy, "source" to it.source) }
