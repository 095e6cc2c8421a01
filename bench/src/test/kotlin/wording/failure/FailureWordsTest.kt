package threadgauge.wording.failure

import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import threadgauge.model.SeenPort
import threadgauge.model.failure.AgentFault
import threadgauge.model.failure.AnswerFault
import threadgauge.model.failure.Failure
import threadgauge.model.failure.LogEnd
import threadgauge.model.failure.SaleViolation
import threadgauge.model.failure.ServiceFault
import threadgauge.model.failure.TargetFault

class FailureWordsTest {
    @Test
    fun `a target is told with the end of its log`() {
        Failure.Target(TargetFault.Ended(3)).words() shouldBe "it ended with exit code 3"
        Failure.Target(TargetFault.Ended(3), LogEnd("a.log", listOf("no", "memory"))).words() shouldBe
            "it ended with exit code 3. Its log: a.log\n    | no\n    | memory"
        Failure.Target(TargetFault.Ended(null), LogEnd("a.log")).words() shouldBe "it ended. Its log: a.log (empty)"
    }

    @Test
    fun `of several answers each is told, and the first thing to do`() {
        val answers = listOf(
            SeenPort(80, isAssigned = true, AnswerFault.Refused),
            SeenPort(81, isAssigned = false, AnswerFault.Status("GET /", 404)),
        )
        fun words(port: Int?, open: List<Int> = emptyList(), answers: List<SeenPort> = emptyList()) =
            TargetFault.NoCorrectAnswer(5, port, open, answers).words()
                .removePrefix("in 5 s there was no correct answer: ")
        words(null, answers = answers) shouldBe
            "port 80 refused the connection; port 81 answered GET / with status 404. " +
            "Give another path with --path"
        words(null) shouldBe "it opened no port"
        words(90) shouldBe "nothing listened on port 90"
        words(90, open = listOf(80, 81)) shouldBe "nothing listened on port 90; it listens on 80, 81"
    }

    @Test
    fun `what ended a run is told with where its record lies`() {
        val cause = Failure.Service("redis", ServiceFault.Ended(1), LogEnd("r.log"))
        Failure.Run(cause, "results/a").words() shouldBe "redis ended with exit code 1, and nothing can be measured " +
            "without it. Its log: r.log (empty)\nThe record so far: results/a"
        Failure.Agent(AgentFault.Ended(1), "agent.log").words() shouldBe
            "The load agent stopped: it ended with exit code 1. Its log: agent.log"
    }

    @Test
    fun `a sale is told with every rule it broke`() {
        TargetFault.BreaksSale(listOf(SaleViolation.SellsNothing("500"), SaleViolation.Ledger(3, 4))).words() shouldBe
            "it breaks the contract of a sale: it does not sell: 500; " +
            "its ledger has 3 reservations of 4 seats instead of 2 of 2"
    }
}
