package threadgauge.cli

import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldBeIn
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.longs.shouldBeGreaterThan
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import java.nio.file.Path
import kotlin.io.path.readText
import kotlin.io.path.writeText
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import threadgauge.model.Sample

/**
 * Sales on a real PostgreSQL and a real Redis: a correct variant beside one that oversells, and the ledgers of both.
 */
@Tag("processes")
class SaleCommandTest {
    @TempDir
    lateinit var folder: Path

    /** One test, because each of its services rehearses for ten seconds. */
    @Test
    fun `after each load an audit finds oversold seats, and no secret is in the record`() {
        val shipped = situationsOf(CommandLine.projectRoot.resolve("experiments/17-tickets.yaml").readText(), "shipped")
        val file = folder.resolve("sale.yaml")
        file.writeText(
            "name: sale\nquestion: Who oversells?\nstacks: [tickets-batch, tickets-naive+two]\nsituations:\n" +
                shipped.joinToString("") +
                LAST_SEATS + "trials: 1\nwarm-up: {budget: 1s, load: 100ms, pause: 50ms}\n",
        )
        val run = CommandLine(folder).start("run", "$file")
        val secrets = SECRETS.findAll(commandOf(run.member("tickets.jar"))).map { it.groupValues[2] }.toList()
        run.await(PATIENCE_SECONDS)
        // 2: on a busy machine some figures are too doubtful to be compared. The audits hold all the same.
        withClue(run.out + run.err) { run.exitCode shouldBeIn listOf(0, 2) }
        val samples = run.record().trials.associate { it.stack to it.samples }
        val sound = samples.getValue("tickets-batch")
        sound.size shouldBe shipped.size + 1
        for (sample in sound) withClue("${sample.situation}: ${sample.counts} ${sample.audit}") {
            sample.counts.answered shouldBeGreaterThan 0
            sample.counts.failures shouldBe emptyMap()
            sample.audit.shouldNotBeNull().isKept shouldBe true
        }
        sound.audit("shipped-sold-out").reservations shouldBe 0
        val several = sound.audit("shipped-several-events")
        several.events.size shouldBe 20
        several.reservations shouldBe several.acknowledged
        several.ledger.reservations shouldBeGreaterThan several.others.maxOf { it.reservations }
        // Keys repeat, so several answers are about one reservation.
        sound.audit("shipped-retries").acknowledged shouldBe null
        val last = sound.audit("last-twenty")
        last.ledger.taken shouldBe 20
        last.acknowledged shouldBe 20
        val oversold = samples.getValue("tickets-naive+two").audit("last-twenty")
        oversold.oversold shouldBeGreaterThan 0
        oversold.ledger.taken shouldBe oversold.oversold + 20
        run.out.replace(Regex("\\s+"), " ") shouldContain "PROMISES BROKEN: oversold"
        run.record().trials.forEach { it.command shouldContain "--tickets.admin-token={secret}" }
        secrets.size shouldBe 2
        for (secret in secrets) "${run.record()}" shouldNotContain secret
    }

    private fun List<Sample>.audit(situation: String) = first { it.situation == situation }.audit.shouldNotBeNull()

    private companion object {
        val SECRETS = Regex("""--tickets\.(admin-token|database\.password)=(\S+)""")
        val LAST_SEATS = """
            |  - name: last-twenty
            |    words: come at once for the last twenty seats
            |    request:
            |      send: POST /events/{event}/reservations
            |      headers: {Content-Type: application/json, Idempotency-Key: "{event}-{random:24}"}
            |      body: '{"quantity": 1}'
            |      expect: {status: [201, 409]}
            |    load: {burst: 400}
            |    sale: {seats: 20}
            |
        """.trimMargin()
    }
}
