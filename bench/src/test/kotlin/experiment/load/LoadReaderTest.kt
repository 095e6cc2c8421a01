package threadgauge.experiment.load

import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import threadgauge.experiment.asking
import threadgauge.experiment.mistakesOf
import threadgauge.experiment.problems
import threadgauge.experiment.read
import threadgauge.experiment.shown
import threadgauge.model.Load
import threadgauge.model.Think

class LoadReaderTest {
    @Test
    fun `users may think and come in one after the other`() {
        load("{users: 200, for: 60s, think: 1s, ramp-in: 10s}") shouldBe
            Load.Users(200, 60_000_000_000, Think(1_000_000_000), 10_000_000_000)
        load("{users: 2, for: 1s, think: 1s..3s, ramp-in: 1s}") shouldBe
            Load.Users(2, 1_000_000_000, Think(1_000_000_000, 3_000_000_000), 1_000_000_000)
        load("{users: 2, loops: 3, think: 0s..1.5ms, ramp-in: 2h}") shouldBe
            Load.Loops(2, 3, Think(0, 1_500_000), 7_200_000_000_000)
        load("{users: 2, for: 1s, ramp-in: 0s}") shouldBe Load.Users(2, 1_000_000_000)
    }

    @Test
    fun `arrivals may be at random`() {
        load("{poisson: 2000/s, for: 60s}") shouldBe Load.Poisson(2000.0, 60_000_000_000, 1)
        load("{poisson: 30/m, for: 60s, seed: 7}") shouldBe Load.Poisson(0.5, 60_000_000_000, 7)
    }

    @Test
    fun `open loads may follow one another`() {
        val steps = "{steps: [{rate: 100/s, for: 10s}, {ramp: 100/s..500/s, for: 10s}, {burst: 1000}, " +
            "{poisson: 5/s, for: 1s, seed: 3}]}"
        load(steps) shouldBe Load.Steps(
            listOf(
                Load.Rate(100.0, 10_000_000_000), Load.Ramp(100.0, 500.0, 10_000_000_000), Load.Burst(1000),
                Load.Poisson(5.0, 1_000_000_000, 3),
            ),
        )
        load("{steps: {rate: 1/s, for: 24h}}") shouldBe Load.Steps(listOf(Load.Rate(1.0, 86_400_000_000_000)))
    }

    @Test
    fun `each mistake is told at its place with a remedy`() {
        val cases = listOf(
            "{users: 2, for: 5s, think: 2}" to
                "4:34 think: \"2\" has no unit | Write 2s, for example; the units are ns, us, ms, s, m, h.",
            "{users: 2, for: 5s, think: 0s}" to "4:34 a think time of 0 is no think time | Leave \"think\" out.",
            "{users: 2, for: 5s, think: 3s..1s}" to "4:34 think: \"3s..1s\" ends before it begins | Write 1s..3s.",
            "{users: 2, for: 5s, think: 1s..}" to
                "4:34 think to has no value | Write something from 0s to 1h.",
            "{users: 2, for: 5s, think: 1s..2s..3s}" to
                "4:34 \"1s..2s..3s\" is not a time to think | Write 1s, or 1s..3s for anything between the two.",
            "{users: 2, for: 5s, think: 2h}" to "4:34 think: \"2h\" is more than 1h | Anything from 0s to 1h.",
            "{users: 2, for: 5s, ramp-in: 6s}" to
                "4:36 \"ramp-in\" is longer than \"for\" | The last users would come when all is over.",
            "{rate: 2/s, for: 5s, think: 1s}" to
                "4:28 \"think\" does not go with \"rate\" | Write {rate: 2000/s, for: 60s}",
            "{rate: 2/s, for: 5s, seed: 1}" to
                "4:28 \"seed\" does not go with \"rate\" | Write {rate: 2000/s, for: 60s}",
            "{poisson: 2000, for: 5s}" to
                "4:17 poisson: \"2000\" has no unit | Write 2000/s, for example; the units are /s, /m, /h.",
            "{poisson: 2/s}" to "4:7 a load has no \"for\" | Add a line such as {poisson: 2000/s, for: 60s}",
            "{poisson: 2/s, for: 5s, seed: -1}" to
                "4:37 seed cannot be -1: less than 0 | Write a whole number from 0 to 2147483647.",
            "{poison: 2/s, for: 5s}" to
                "4:8 unknown key \"poison\" in a load | Did you mean \"poisson\"? Known here: users, rate, " +
                "poisson, ramp, burst, steps, for, loops, think, ramp-in, seed, connected.",
            "{steps: [{rate: 1/s, for: 1s}], for: 1s}" to "4:39 \"for\" does not go with \"steps\" | " +
                "Write {steps: [{rate: 100/s, for: 10s}, {ramp: 100/s..500/s, for: 10s}]}",
            "{steps: []}" to "4:15 steps is an empty list | " +
                "Write {steps: [{rate: 100/s, for: 10s}, {ramp: 100/s..500/s, for: 10s}]}.",
            "{steps: [{users: 2, for: 1s}]}" to
                "4:16 users cannot be a step: their requests have no schedule | Steps are rate, poisson, ramp " +
                "and burst.",
            "{steps: [{steps: [{rate: 1/s, for: 1s}]}]}" to
                "4:16 these are steps within steps | Write all of them in one list.",
            "{steps: [{burst: 5}, {burst: 6}]}" to
                "4:15 steps of bursts alone take no time | Write a burst: {burst: 1000}",
            "{steps: [{rate: 1/s, for: 1s}, {burst: 5, connected: no}]}" to
                "4:49 \"connected\" does not go with a step | Leave it out: steps connect when they need to.",
            "{steps: [{rate: 1/s, for: 23h}, {rate: 1/s, for: 61m}]}" to
                "4:15 all steps together are longer than 24h | Make them shorter.",
        )
        mistakesOf(cases.map { it.first }) { asking("GET /", load = it) } shouldBe shown(cases)
    }

    @Test
    fun `mistakes in several steps are told together`() {
        problems(
            asking("GET /", "{steps: [{rate: 1, for: 1s}, {users: 2, for: 1s}, {ramp: 1/s..2/s}]}"),
        ) shouldContainExactly listOf(
            "4:23 rate: \"1\" has no unit", "4:36 users cannot be a step: their requests have no schedule",
            "4:57 a load has no \"for\"",
        )
    }

    private fun load(load: String) = read(asking("GET /", load)).situations.single().load
}
