package threadgauge.telemetry

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.maps.shouldContainAll
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.net.ConnectException
import java.net.InetSocketAddress
import java.net.URI
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpRequest.BodyPublishers
import java.net.http.HttpResponse
import java.net.http.HttpResponse.BodyHandlers
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import threadgauge.model.failure.Failed
import threadgauge.model.failure.Failure
import threadgauge.run.agent.countsOf

/** What Prometheus scrapes. */
@Tag("ports")
class PrometheusPageTest {
    private val figures = RunFigures("checkout")

    @Test
    fun `a scrape has what was measured, in the text format`() = withPage { page ->
        LoadEvents.load().forEach(figures::hear)
        page.publish(figures.snapshot())
        val answer = ask(page)
        answer.headers().firstValue("content-type").orElse("") shouldBe "text/plain; version=0.0.4; charset=utf-8"
        val scraped = Exposition.of(answer.body())
        val counts = countsOf(LoadEvents.ended.done)
        scraped.samples("threadgauge_requests_sent_total").single().run {
            value shouldBe counts.sent.toDouble()
            labels shouldBe mapOf(
                "threadgauge_experiment" to "checkout", "threadgauge_stack" to "shop", "threadgauge_trial" to "2",
                "threadgauge_situation" to "hello",
            )
        }
        scraped.samples("threadgauge_requests_answered_total").single().value shouldBe counts.answered.toDouble()
        scraped.samples("threadgauge_requests_scheduled_total").single().value shouldBe counts.scheduled.toDouble()
        scraped.samples("threadgauge_requests_failed_total").sumOf { it.value } shouldBe counts.failed.toDouble()
        scraped.samples("threadgauge_requests_failed_total", "error_type" to "server_error").single().value shouldBe 1.0
        scraped.samples("threadgauge_load_time_seconds_total").single().value shouldBe 2.0
        scraped.samples("threadgauge_target_memory_usage_bytes").single().value shouldBe 50_000_000.0
        scraped.samples("threadgauge_throughput_per_second").single().value shouldBe 2.0
        scraped.samples("http_client_active_requests").single().value shouldBe 0.0
        scraped.samples("threadgauge_run_phase", "threadgauge_phase" to "measuring").single().value shouldBe 1.0
        scraped.samples("target_info").single().labels shouldContainAll
            mapOf("service_name" to "threadgauge", "service_instance_id" to "run-1")
        scraped.families.values.filter { it.help == null }.map { it.name }.shouldBeEmpty()
    }

    @Test
    fun `a duration is a histogram in seconds`() = withPage { page ->
        LoadEvents.load().forEach(figures::hear)
        page.publish(figures.snapshot())
        val scraped = Exposition.of(ask(page).body())
        val name = "http_client_request_duration_seconds"
        scraped.families.getValue(name).type shouldBe "histogram"
        scraped.samples("${name}_count").single().value shouldBe 5.0
        val buckets = scraped.samples("${name}_bucket")
            .associate { it.labels.getValue("le").toDoubleOrNull() to it.value }
        buckets[0.0005] shouldBe 2.0
        buckets[10.0] shouldBe 4.0
        scraped.samples("${name}_bucket", "http_response_status_code" to "200").size shouldBe Point.BOUNDS.size + 1
    }

    @Test
    fun `names with quotes and backslashes stay labels`() {
        val odd = RunFigures("a \"b\" \\c\nd")
        withPage { page ->
            page.publish(odd.snapshot())
            Exposition.of(ask(page).body()).samples("threadgauge_run_phase").map { it.labels["threadgauge_experiment"] }
                .distinct() shouldContainExactly listOf("a \"b\" \\c\nd")
        }
    }

    @Test
    fun `it listens on loopback, answers reads of its page alone, and is gone when it is closed`() {
        val page = PrometheusPage(InetSocketAddress("127.0.0.1", 0), "run-1")
        page.use {
            it.address.address.isLoopbackAddress shouldBe true
            it.publish(figures.snapshot())
            ask(it).statusCode() shouldBe 200
            ask(it, method = "HEAD").run {
                statusCode() shouldBe 200
                body() shouldBe ""
            }
            ask(it, path = "/").statusCode() shouldBe 404
            ask(it, path = "/metrics/").statusCode() shouldBe 404
            ask(it, method = "POST").statusCode() shouldBe 405
            // The port is taken, and the answer says so before anything is started.
            val taken = shouldThrow<Failed> { PrometheusPage(page.address, "run-2") }
            taken.failure shouldBe Failure.Port(page.address.port, "--prometheus")
        }
        shouldThrow<ConnectException> { ask(page) }
    }

    @Test
    fun `the strict reader finds what is wrong`() {
        val head = "# HELP a_total words\n# TYPE a_total counter\n"
        fun rejected(text: String) = shouldThrow<IllegalArgumentException> { Exposition.of(text) }
        Exposition.of("${head}a_total{b=\"c\"} 1\n").samples("a_total", "b" to "c").single().value shouldBe 1.0
        rejected("${head}a_total 1").message shouldContain "no end"
        rejected("a_total 1\n").message shouldContain "no TYPE"
        rejected("${head}a_total -1\n").message shouldContain "negative"
        rejected("${head}a_total{b=\"c\",b=\"d\"} 1\n").message shouldContain "twice"
        rejected("${head}a_total 1\na_total 2\n").message shouldContain "same labels"
        rejected("${head}a_total{b=c} 1\n").message shouldContain "labels"
        rejected("${head}b 1\n").message shouldContain "group"
        val buckets = "# TYPE h histogram\nh_bucket{le=\"1.0\"} 2\nh_bucket{le=\"+Inf\"} 3\nh_sum 4\n"
        rejected("${buckets}h_count 4\n").message shouldContain "not the count"
        Exposition.of("${buckets}h_count 3\n")
        rejected(buckets.replace("} 2", "} 9") + "h_count 3\n").message shouldContain "fall"
    }

    private fun withPage(work: (PrometheusPage) -> Unit) =
        PrometheusPage(InetSocketAddress("127.0.0.1", 0), "run-1").use(work)

    private fun ask(page: PrometheusPage, path: String = "/metrics", method: String = "GET"): HttpResponse<String> =
        HttpClient.newHttpClient().use { client ->
            val uri = URI("http://127.0.0.1:${page.address.port}$path")
            client.send(
                HttpRequest.newBuilder(uri).method(method, BodyPublishers.noBody()).build(), BodyHandlers.ofString(),
            )
        }
}
