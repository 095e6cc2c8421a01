package threadgauge.experiment.yaml

import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import threadgauge.experiment.asking
import threadgauge.experiment.mistakesBeside
import threadgauge.experiment.read

class YesOrNoTest {
    @Test
    fun `every boolean of YAML 1_1 means what it says, in any case`() {
        for (text in listOf("yes", "Yes", "YES", "y", "Y", "true", "True", "TRUE", "on", "On", "ON", "'on'")) {
            withClue(text) { gzip(text) shouldBe true }
        }
        for (text in listOf("no", "No", "NO", "n", "N", "false", "False", "FALSE", "off", "Off", "OFF", "'off'")) {
            withClue(text) { gzip(text) shouldBe false }
        }
    }

    @Test
    fun `all other words are answered with what to write, and with no guess`() {
        for (text in listOf("1", "0", "enabled", "ye", "nope", "ja")) withClue(text) {
            mistakesBeside(asking("{send: GET /, gzip: $text}")) shouldContainExactly
                listOf("5:30 gzip cannot be \"$text\" | Write yes or no.")
        }
    }

    @Test
    fun `a word of two letters is near another only where one letter is missing or too many`() {
        nearestSpelling("on", listOf("no", "yes")) shouldBe null
        nearestSpelling("tr", listOf("try", "run")) shouldBe "try"
        nearestSpelling("runn", listOf("try", "run")) shouldBe "run"
    }

    private fun gzip(text: String) = read(asking("{send: GET /, gzip: $text}")).situations.single().request.gzip
}
