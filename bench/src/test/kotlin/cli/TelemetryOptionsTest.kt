package threadgauge.cli

import com.github.ajalt.clikt.core.UsageError
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import org.junit.jupiter.api.Test
import threadgauge.cli.command.option.collectorUrl
import threadgauge.cli.command.option.header
import threadgauge.cli.command.option.scrapeAddress
import threadgauge.model.failure.CollectorTrouble
import threadgauge.model.failure.TelemetryFault
import threadgauge.wording.failure.words

class TelemetryOptionsTest {
    @Test
    fun `a collector is an http or https URL without a password in it`() {
        collectorUrl("http://localhost:4318") shouldBe "http://localhost:4318"
        collectorUrl("HTTPS://otlp.example/x?key=1") shouldBe "https://otlp.example/x?key=1"
        for (wrong in listOf("localhost:4318", "grpc://localhost:4317", "http://me:$SECRET@host", "http://", "")) {
            withClue(wrong) { collectorUrl(wrong).shouldBeNull() }
        }
    }

    @Test
    fun `a header has a name, any value, and is none that the client sets`() {
        header("Authorization=Basic YTpi=") shouldBe ("Authorization" to "Basic YTpi=")
        header("X-Scope-OrgID=") shouldBe ("X-Scope-OrgID" to "")
        for (wrong in listOf("Authorization", "=x", "A b=x", "A=x\r\nB: y", "Host=x", "content-type=text/plain")) {
            withClue(wrong) { header(wrong).shouldBeNull() }
        }
    }

    @Test
    fun `a scrape is answered on loopback unless an address of this machine is given`() {
        scrapeAddress("9464")!!.run {
            address.isLoopbackAddress shouldBe true
            port shouldBe 9464
        }
        scrapeAddress("0.0.0.0:9464")!!.address.isAnyLocalAddress shouldBe true
        scrapeAddress("[::1]:1")!!.address.isLoopbackAddress shouldBe true
        // 192.0.2.0/24 is for documents (RFC 5737), so no machine has an address of it.
        for (wrong in listOf("", "x", "65536", "1:2:3", "192.0.2.1:9464", "localhost:", "http://localhost:1")) {
            withClue(wrong) { scrapeAddress(wrong).shouldBeNull() }
        }
    }

    @Test
    fun `a wrong option is a wrong command line, and its answer never quotes a secret`() {
        for (wrong in listOf(
            "run --otlp-header Authorization:$SECRET --otlp http://localhost:4318",
            "try x --otlp http://me:$SECRET@localhost:4318",
            "knee x --otlp-header Authorization=$SECRET",
            "try x --otlp http://localhost:4318 --otlp-header A=$SECRET --otlp-header a=$SECRET",
            "run --prometheus 99999",
        )) withClue(wrong) {
            val command = threadgaugeCommand()
            val error = shouldThrow<UsageError> { command.parseOrSuggest(wrong.split(' ').toTypedArray()) }
            command.getFormattedHelp(error).orEmpty().run {
                this shouldContain "--"
                this shouldNotContain SECRET
            }
        }
    }

    @Test
    fun `each trouble with a collector is said with what to do about it`() {
        val place = "http://c/v1/metrics"
        for (trouble in CollectorTrouble.entries) {
            TelemetryFault.NotReached(place, trouble).words().run {
                this shouldContain "The collector at $place "
                this shouldContain "The run goes on"
            }
        }
        TelemetryFault.Rejected(place, 404).words() shouldContain "/v1/metrics is added"
        TelemetryFault.Rejected(place, 500).words() shouldContain "status 500"
    }

    private companion object {
        const val SECRET = "s3cr3t"
    }
}
