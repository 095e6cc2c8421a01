package threadgauge.probe.profile

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.shouldBe
import java.io.IOException
import java.nio.file.Path
import org.junit.jupiter.api.Test
import threadgauge.model.profile.ProfileGap
import threadgauge.model.profile.ProfilePart

class GapsTest {
    private val gaps = Gaps(Path.of("/somebody/results/profiling"))

    @Test
    fun `what fails is a gap with the innermost cause, each once and without the folder`() {
        val full = IOException("/somebody/results/profiling/a.jfr is full\nsecond line")
        repeat(2) { gaps.of(ProfilePart.EVENTS) { throw IllegalStateException("wrapped", full) }.shouldBeNull() }
        gaps.of(ProfilePart.DUMPS) { 7 } shouldBe 7
        gaps.all shouldBe listOf(ProfileGap(ProfilePart.EVENTS, "java.io.IOException: …/a.jfr is full"))
    }

    @Test
    fun `an interrupt is no gap`() {
        shouldThrow<InterruptedException> { gaps.of(ProfilePart.POOLS) { throw InterruptedException() } }
        gaps.all shouldBe emptyList()
    }
}
