package threadgauge.cli

import com.github.ajalt.mordant.terminal.Terminal
import io.kotest.matchers.shouldBe
import io.kotest.matchers.types.shouldBeSameInstanceAs
import org.junit.jupiter.api.Test

class ScreenTest {
    @Test
    fun `a terminal without a width gets the usual one, and keeps it`() {
        val screen = readable(Terminal(width = 0))
        screen.size.width shouldBe 80
        screen.updateSize()
        screen.size.width shouldBe 80
    }

    @Test
    fun `any other stays as it is`() {
        Terminal(width = 132).let { readable(it) shouldBeSameInstanceAs it }
    }
}
