package threadgauge.checks

import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.shouldBe
import kotlin.io.path.readText
import org.junit.jupiter.api.Test

class VersionTest {
    private val version = versionIn(projectRoot.resolve("bench/src/main/kotlin/model/Version.kt").readText())

    @Test
    fun `every module has the version that the program prints`() {
        val poms = projectFiles().filter { it.path.endsWith("pom.xml") && !it.path.startsWith(PEERS) }
        poms.size shouldBeGreaterThan 40
        for (pom in poms) withClue(pom.path) {
            OURS.findAll(pom.text).map { it.groupValues[1] }.distinct().toList() shouldBe listOf(version)
        }
    }

    @Test
    fun `the changelog has an entry for it`() {
        val released = Regex("""(?m)^## \[([0-9.]+)]""").findAll(projectRoot.resolve("CHANGELOG.md").readText())
        released.map { it.groupValues[1] }.toList() shouldContain version
    }

    @Test
    fun `a module of another version would be found`() {
        OURS.find("<groupId>dev.threadgauge</groupId><artifactId>x</artifactId><version>9.9</version>")!!
            .groupValues[1] shouldBe "9.9"
    }

    private fun versionIn(source: String) = Regex("VERSION = \"([^\"]+)\"").find(source)!!.groupValues[1]

    private companion object {
        /** Programs to compare with, which are no part of the project. */
        const val PEERS = "benchmarks/engine/"

        val OURS = Regex(
            """<groupId>dev\.threadgauge(?:\.\w+)?</groupId>\s*<artifactId>[^<]+</artifactId>\s*<version>([^<$]+)</version>""",
        )
    }
}
