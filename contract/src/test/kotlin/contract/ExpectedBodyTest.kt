package threadgauge.contract

import io.kotest.matchers.shouldBe
import java.security.MessageDigest
import java.util.HexFormat
import org.junit.jupiter.api.Test
import threadgauge.contract.check.work.LONG
import threadgauge.contract.check.work.LONG_SHA_256
import threadgauge.contract.check.work.knownStrings

class ExpectedBodyTest {
    @Test
    fun `fixed bodies are exact`() {
        body("/hello") shouldBe "hello"
        body("/hello?from=bench") shouldBe "hello"
        body("/delay/0") shouldBe "waited 0"
        body("/block/60000") shouldBe "blocked 60000"
        body("/offload/100") shouldBe "offloaded 100"
    }

    @Test
    fun `bodies that come from a backend depend on the request`() {
        body("/mobile/users/7") shouldBe """{"user":"result7","orders":"result7"}"""
        body("/mobile/users/1000000?ms=0&from=upstream") shouldBe
            """{"user":"result1000000","orders":"result1000000"}"""
        body("/fanout/virtual/1000") shouldBe
            "result1,result2,result3,result4,result5,result6,result7,result8,result9,result10"
        body("/fanout/coroutine-leak/0?n=1&calls=2") shouldBe "result1,result2"
        listOf("0", "1000001", "{1..9}", "7?ms=x", "7?ms=60001", "7?from=", "7?ms=1&ms=1").forEach {
            body("/mobile/users/$it") shouldBe null
        }
        listOf(
            "none/1", "virtual/x", "virtual/60001", "virtual/1?calls=0", "virtual/1?calls=101", "virtual/1?n=257",
            "virtual",
        ).forEach { body("/fanout/$it") shouldBe null }
    }

    @Test
    fun `random strings are those that an independent program computed`() {
        knownStrings.forEach { (length, string) -> body("/api/random/string/$length") shouldBe string }
        val hash = MessageDigest.getInstance("SHA-256").digest(HttpContract.expectedBody("/api/random/string/$LONG"))
        HexFormat.of().formatHex(hash) shouldBe LONG_SHA_256
    }

    /** Computed apart from every implementation here, by a Python script of the rule. */
    @Test
    fun `articles are those that an independent program computed`() {
        body("/api/articles/17") shouldBe ARTICLE_17
        body("/api/articles?ids=17") shouldBe "[$ARTICLE_17]"
        body("/api/articles?ids=17%2C17&a=b") shouldBe "[$ARTICLE_17]"
        body("/api/articles?ids=17&a=b&ids=17") shouldBe "[$ARTICLE_17]"
        val articles = HttpContract.expectedBody("/api/articles?ids=100000,3,2")
        val hash = MessageDigest.getInstance("SHA-256").digest(articles)
        HexFormat.of().formatHex(hash) shouldBe ARTICLES_SHA_256
    }

    @Test
    fun `an invalid request for articles has no expected body`() {
        val tooMany = (1..1001).joinToString(",")
        listOf("", "?ids=", "?ids=0", "?ids=1,", "?ids=100001", "?ids=$tooMany", "?a=1", "/0", "/1.5", "/x").forEach {
            body("/api/articles$it") shouldBe null
        }
    }

    @Test
    fun `bodies that are not fixed, and answers that are not 200, are null`() {
        listOf("/runtime", "/metrics", "/nowhere", "/delay").forEach { body(it) shouldBe null }
        listOf("-1", "60001", "99999999999999").forEach { body("/delay/$it") shouldBe null }
        body("/api/random/string/1000001") shouldBe null
    }

    private fun body(path: String) = HttpContract.expectedBody(path)?.toString(Charsets.UTF_8)
}

private const val ARTICLE_17 = """{"author":"Author 17","body":"""" +
    "fYUNBFBoBrPEZfxC9aKDsHV2ZdezI6pXPk2ff7HvvZQAuS9xK9xH4Q3CgKieTKmMWO16VJKc87C6kNLKCgcuv4ypP5tAP0FjHZiz" +
    "v5CzXXwV72LGn3vMPpEt5FMyYBS3uftYSBRsymODCBujHTEAV8YCIdTsSiq0" +
    """","id":17,"title":"Article 17"}"""
private const val ARTICLES_SHA_256 = "3375217d3b36a0999c82f3370bf336f7f311ca852468615dc4c2b290704250ff"
