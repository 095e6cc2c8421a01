package threadgauge.experiment.target

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.matchers.shouldBe
import java.nio.file.Path
import kotlin.io.path.writeText
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import threadgauge.experiment.stack.StackCatalogue
import threadgauge.experiment.yaml.ExperimentMistakes

/** Scripts of which the system or a shell says less than what is wrong with them. */
class ScriptHeadTest {
    @TempDir
    lateinit var folder: Path

    @Test
    fun `line ends of Windows are named with the program that the system would look for`() {
        for ((first, looked) in mapOf(
            "#!/bin/sh" to "/bin/sh", "#! /bin/sh -e" to "/bin/sh", "#!/usr/bin/env python3" to "/usr/bin/env",
        )) withClue(first) {
            script("$first\r\nexec sleep 1\r\n")
            mistake("./run.sh") shouldBe listOf(
                "the script \"./run.sh\" has the line ends of Windows (CRLF): the system looks for a program named " +
                    "\"$looked\\r\"",
                "Save it with the line ends of Unix (LF), or: sed -i 's/\\r$//' ./run.sh",
            )
        }
    }

    @Test
    fun `so are those of a script that a shell is given`() {
        script("exec sleep 1\r\n")
        for (command in listOf("sh run.sh", "bash -e ./run.sh {port}", "/bin/sh run.sh")) withClue(command) {
            mistake(command).first().substringAfter("(CRLF): ") shouldBe
                "a shell takes the carriage return for a part of each command"
        }
    }

    @Test
    fun `a byte-order mark before the first line, and an interpreter that is missing, are named`() {
        script("\uFEFF#!/bin/sh\n")
        mistake("./run.sh").first() shouldBe
            "the script \"./run.sh\" begins with a byte-order mark, so the system does not see its #!"
        script("#!/no/such/sh -e\n")
        mistake("./run.sh").first() shouldBe "the script \"./run.sh\" is for /no/such/sh, which is not there"
    }

    @Test
    fun `what can be started is`() {
        for (text in listOf("#!/bin/sh\nprintf 'a\r\nb'\n", "#!/bin/sh", "\u007FELF\r\n", "")) withClue(text) {
            script(text)
            read("./run.sh").command.first() shouldBe "$folder/run.sh"
        }
        script("exec sleep 1\r\n")
        read("sh -c 'exec sleep 1' run.sh").command.size shouldBe 4
        read("cat run.sh").command shouldBe listOf("cat", "run.sh")
    }

    private fun script(text: String) = folder.resolve("run.sh").run {
        writeText(text)
        toFile().setExecutable(true)
    }

    private fun mistake(text: String) =
        shouldThrow<ExperimentMistakes> { read(text) }.mistakes.single().let { listOf(it.problem, it.remedy) }

    private fun read(text: String) = readTarget(text, StackCatalogue(emptyList()), folder)
}
