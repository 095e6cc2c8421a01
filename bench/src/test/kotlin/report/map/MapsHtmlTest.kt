package threadgauge.report.map

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import org.junit.jupiter.api.Test
import threadgauge.judge.map.agreement
import threadgauge.judge.map.judgeMap
import threadgauge.map.DEAR
import threadgauge.map.LOOP
import threadgauge.map.POOL
import threadgauge.map.exploredMap

class MapsHtmlTest {
    private val maps = listOf(1L to "first", 2L to "<b>second").map { (seed, name) ->
        val record = exploredMap(mapOf("pool" to POOL, "loop" to LOOP, "dear" to DEAR), noise = 0.03, seed = seed)
            .copy(id = name)
        MapBeside(record, judgeMap(record), "$seed/report.html")
    }
    private val agreements = listOfNotNull(agreement(maps[0].judgement, maps[1].judgement))

    @Test
    fun `each stack has a panel of each map, whose places lead to the map's report`() {
        val html = mapsHtml(maps, agreements)
        // Three stacks, two maps and one legend.
        Regex("<svg [^>]*class=\"map\"").findAll(html).count() shouldBe 3 * 2 + 1
        for (seed in 1..2) Regex("href=\"$seed/report.html#place-\\d+-\\d+\"").containsMatchIn(html) shouldBe true
        html shouldContain "beside first: "
        html shouldNotContain "<b>second"
    }

    @Test
    fun `all maps have the axes of the widest`() {
        val frame = MapFrame.of(maps.map { it.judgement })
        for (map in maps) {
            val own = MapFrame.of(listOf(map.judgement))
            (own.work.start >= frame.work.start && own.work.endInclusive <= frame.work.endInclusive) shouldBe true
            (own.users.start >= frame.users.start && own.users.endInclusive <= frame.users.endInclusive) shouldBe true
        }
        shouldThrow<IllegalArgumentException> { mapsHtml(maps.take(1), emptyList()) }
    }
}
