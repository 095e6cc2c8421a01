package threadgauge.draft

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import org.junit.jupiter.api.Test
import threadgauge.draft.har.harDraft
import threadgauge.experiment.read
import threadgauge.model.request.Kept
import threadgauge.report.shouldBeApproved

class HarDraftTest {
    @Test
    fun `a recording becomes steps with pauses and with what each took from answers, and the file is valid`() {
        val text = harDraft(RECORDING, "Checkout 1").text()
        shouldBeApproved(text, "har.approved.yaml")
        val scenario = read(text).situations.single().scenarios.single()
        scenario.steps.map { "${it.request.method} ${it.request.path}" } shouldContainExactly listOf(
            "GET /products?page=1", "POST /carts", "POST /carts/{cartId}/items", "GET /carts/{cartId}?full=1",
            "POST /carts/{cartId}/pay",
        )
        scenario.steps[1].keep shouldBe mapOf("cartId" to Kept.Json("cart.id"), "token" to Kept.Header("X-Token"))
        scenario.steps[0].think!!.minNanos shouldBe 2_400_000_000
        text shouldNotContain "sesame"
    }

    @Test
    fun `hosts and files may be chosen, and what is not there is said`() {
        harDraft(RECORDING, "x", host = "cdn.test").scenarios.single().steps.single().line shouldBe "GET /lib"
        harDraft(RECORDING, "x", all = true).scenarios.single().steps.size shouldBe 6
        shouldThrow<DraftFailed> { harDraft(RECORDING, "x", host = "no.test") }.message shouldContain
            "shop.test, cdn.test"
        shouldThrow<DraftFailed> { harDraft("{}", "x") }.message shouldContain "no recording in the HAR format"
        shouldThrow<DraftFailed> { harDraft("hello", "x") }.message shouldContain "network tab"
        shouldThrow<DraftFailed> { harDraft("{\"log\": {\"entries\": []}}", "x") }.message shouldContain "no request"
    }

    @Test
    fun `what is hostile in a recording stays text`() {
        val url = "https://shop.test/a{b}?c={seq}&d=\\\"x\\u2028"
        val entry = """{"startedDateTime": "x", "request": {"method": "POST", "url": "$url", "postData":
            {"mimeType": "text/plain", "text": "a: b\n- \"c\"\u0007"}}, "response": {"status": 200}}"""
        val tame = entry.replace("\\u2028", "").replace("\\\"x", "x")
        val draft = harDraft("""{"log": {"entries": [$entry, $tame]}}""", "!!")
        draft.name shouldBe "recorded"
        val step = read(draft.text()).situations.single().scenarios.single().steps.last().request
        step.path shouldBe "/a%7Bb%7D?c=%7Bseq%7D&d=x"
        step.body shouldBe "a: b\n- \"c\"\u0007"
    }

    private companion object {
        fun entry(
            second: Double,
            line: String,
            answer: String,
            status: Int = 200,
            type: String = "application/json",
            headers: String = "",
            body: String? = null,
            brought: String = "",
        ): String {
            val (method, url) = line.split(' ')
            val json = "\"mimeType\": \"application/json\""
            val post = body?.let { ", \"postData\": {$json, \"text\": ${quoted(it)}}" }.orEmpty()
            return """{"startedDateTime": "2026-11-26T12:00:%06.3fZ", "time": 100, "request": {"method": "$method",
                "url": "$url", "headers": [$headers]$post}, "response": {"status": $status, "headers": [$brought],
                "content": {"mimeType": "$type", "text": ${quoted(answer)}}}}""".format(java.util.Locale.ROOT, second)
        }

        fun header(name: String, value: String) = "{\"name\": \"$name\", \"value\": \"$value\"}"

        private const val SHOP = "https://shop.test"
        val token = header("X-Token", "t-4711")
        val RECORDING = listOf(
            entry(0.0, "GET $SHOP/products?page=1", "[{\"sku\": \"A-1\"}]"),
            entry(0.1, "GET $SHOP/logo.png", "", type = "image/png"),
            entry(0.2, "GET https://cdn.test/lib", ""),
            entry(
                2.5, "POST $SHOP/carts", "{\"cart\": {\"id\": \"c-99817\"}, \"page\": 1}", 201,
                body = "{\"sku\": \"A-1\"}",
                headers = header("Authorization", "Bearer sesame") + ", " + header("User-Agent", "X"),
                brought = "$token, ${header("Set-Cookie", "s=1")}",
            ),
            entry(
                2.7, "POST $SHOP/carts/c-99817/items", "{}", headers = token,
                body = "{\"cart\": \"c-99817\", \"item\": 500}",
            ),
            entry(2.9, "GET $SHOP/carts/c-99817?full=1", "{\"id\": \"c-99817\"}"),
            entry(5.0, "POST $SHOP/carts/c-99817/pay", "", 302, body = "{}"),
        ).joinToString(",", "{\"log\": {\"version\": \"1.2\", \"entries\": [", "]}}")
    }
}
