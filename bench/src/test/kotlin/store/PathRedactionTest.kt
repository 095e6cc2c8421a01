package threadgauge.store

import io.kotest.matchers.shouldBe
import kotlinx.serialization.json.Json
import org.junit.jupiter.api.Test

class PathRedactionTest {
    private fun redacted(text: String) = redactPaths(Json.parseToJsonElement(text)).toString()

    @Test
    fun `values of variables are hidden, and the description of the machine stays`() {
        redacted("""{"stacks":[{"name":"a","environment":{"DB_PASSWORD":"hunter2"},"passes":{"X":"y"}}]}""") shouldBe
            """{"stacks":[{"name":"a","environment":{"DB_PASSWORD":"…"},"passes":{"X":"…"}}]}"""
        redacted("""{"environment":{"cpu":"fast","cores":2}}""") shouldBe """{"environment":{"cpu":"fast","cores":2}}"""
    }

    @Test
    fun `folders are hidden only in commands`() {
        redacted("""{"command":["/opt/bench/ktor.jar"],"path":"/orders/new"}""") shouldBe
            """{"command":["…/ktor.jar"],"path":"/orders/new"}"""
    }

    @Test
    fun `values and folders are hidden in options of an engine for containers`() {
        redacted("""{"container":{"options":["--env=PASSWORD=x y","--env=T","--volume=/srv/ours/d:/d"]}}""") shouldBe
            """{"container":{"options":["--env=PASSWORD=…","--env=T","--volume=…/d:/d"]}}"""
        redacted("""{"command":["docker","run","--env=DOCKER_HOST=tcp://db:1"]}""") shouldBe
            """{"command":["docker","run","--env=DOCKER_HOST=…"]}"""
    }
}
