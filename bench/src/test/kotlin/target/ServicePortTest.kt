package threadgauge.target

import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import threadgauge.model.failure.AnswerFault

class ServicePortTest {
    private val told = listOf(8080, 8081)

    @Test
    fun `an assigned port is preferred, the likeliest first`() {
        chosen(correct = listOf(9090, 8081)) shouldBe 8081
        chosen(correct = listOf(8081, 8080)) shouldBe 8080
    }

    @Test
    fun `another port is accepted only after the start and if no assigned port is open`() {
        chosen(correct = listOf(9090), isStarted = false).shouldBeNull()
        chosen(correct = listOf(9090)) shouldBe 9090
        chosen(correct = listOf(9090), open = listOf(9090, 8081)).shouldBeNull()
    }

    @Test
    fun `of several other ports the lowest is taken`() {
        chosen(correct = listOf(9090, 9000)) shouldBe 9000
    }

    @Test
    fun `a port with a wrong answer is never taken`() {
        val wrong = PortsAsked.Answer(8080, Listening(1, "127.0.0.1", 8080), AnswerFault.Refused, 0, 0)
        servicePort(told, listOf(8080), listOf(wrong), isStarted = true).shouldBeNull()
    }

    @Test
    fun `a status of temporary unavailability is not final, and a wrong answer is`() {
        listOf(429, 500, 503).map { AnswerFault.Status("GET /", it).isFinal } shouldBe listOf(false, false, false)
        listOf(301, 401, 404).map { AnswerFault.Status("GET /", it).isFinal } shouldBe listOf(true, true, true)
        AnswerFault.None("GET /", 10).isFinal shouldBe false
        AnswerFault.Endless("GET /", 5, null, 10).isFinal shouldBe true
    }

    @Test
    fun `a service is given up only when its own ports have long been wrong, whatever a metrics port says`() {
        fun answer(port: Int, fault: AnswerFault, seconds: Int) =
            PortsAsked.Answer(port, Listening(1, "127.0.0.1", port), fault, 0, since = -seconds * 1_000_000_000L)
        val missing = AnswerFault.Status("GET /", 404)
        val busy = AnswerFault.Status("GET /", 503)
        fun hopeless(vararg answers: PortsAsked.Answer) = isHopeless(told, answers.toList(), nowNanos = 0)
        hopeless() shouldBe false
        hopeless(answer(8080, missing, 11)) shouldBe true
        hopeless(answer(8080, missing, 9)) shouldBe false
        hopeless(answer(8080, busy, 60)) shouldBe false
        hopeless(answer(9090, missing, 60), answer(8080, busy, 60)) shouldBe false
        hopeless(answer(9090, missing, 29)) shouldBe false
        hopeless(answer(9090, missing, 31), answer(5005, AnswerFault.None("GET /", 10), 31)) shouldBe true
    }

    private fun chosen(correct: List<Int>, open: List<Int> = correct, isStarted: Boolean = true): Int? {
        val answers = correct.map { PortsAsked.Answer(it, Listening(1, "127.0.0.1", it), null, 0, 0) }
        return servicePort(told, open, answers, isStarted)?.port
    }
}
