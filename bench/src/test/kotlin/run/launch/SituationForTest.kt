package threadgauge.run.launch

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.shouldBe
import java.nio.file.NoSuchFileException
import java.nio.file.Path
import kotlin.io.path.writeText
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import threadgauge.model.ConcurrencyModel
import threadgauge.model.Load
import threadgauge.model.Situation
import threadgauge.model.Stack
import threadgauge.model.request.Connections
import threadgauge.model.request.Cookies
import threadgauge.model.request.Login
import threadgauge.model.request.Protocol
import threadgauge.model.request.Request
import threadgauge.model.request.Tls

class SituationForTest {
    @TempDir
    lateinit var folder: Path

    private val plain = Stack("a", "A", ConcurrencyModel.EVENT_LOOP, "as shipped", listOf("{java}"), "/")
    private val request = Request(path = "/hello", headers = mapOf("X-Own" to "1", "Origin" to "https://example.org"))
    private val situation = Situation("s", "are asked", request, Load.Loops(1, 1), Connections(maxUnderWay = 7))

    @Test
    fun `a plain stack gets the request of the situation unchanged`() {
        plain.situationFor(situation, emptyMap()) shouldBe situation
        plain.accessAt(80, emptyMap()).base.toString() shouldBe "http://127.0.0.1:80"
    }

    @Test
    fun `credentials go with every request, and the situation's own headers take precedence`() {
        plain.copy(sends = mapOf("Authorization" to "Basic x", "X-Own" to "2")).situationFor(situation, emptyMap())
            .request.headers shouldBe
            mapOf("Authorization" to "Basic x", "X-Own" to "1", "Origin" to "https://example.org")
    }

    @Test
    fun `a stack with sessions gets cookies back, and a login where it needs one`() {
        val cookies = Cookies(Login("/login", "user=a"))
        plain.copy(cookies = cookies).situationFor(situation, emptyMap()).connections shouldBe
            Connections(maxUnderWay = 7, cookies = cookies)
        val asking = situation.copy(connections = Connections(cookies = Cookies()))
        plain.situationFor(asking, emptyMap()) shouldBe asking
    }

    @Test
    fun `a stack with TLS is called over it, and its certificate is read from this run's file`() {
        val file = folder.resolve("certificate.pem").apply { writeText("a certificate") }
        val stack = plain.copy(connections = Connections(Protocol.HTTP_2, Tls("{certificate}")))
        stack.situationFor(situation, mapOf("certificate" to "$file")).connections shouldBe
            Connections(Protocol.HTTP_2, Tls("a certificate"), maxUnderWay = 7)
        shouldThrow<NoSuchFileException> { stack.situationFor(situation, mapOf("certificate" to "$file.gone")) }
    }
}
