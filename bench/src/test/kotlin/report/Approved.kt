package threadgauge.report

import io.kotest.matchers.shouldBe
import java.nio.file.Files
import java.nio.file.Path

/**
 * Compares [actual] with the file of that name among the approved ones. When they differ, the new text is written to
 * `target/received`, and a person decides: either the code is mended, or the received file becomes the approved one.
 */
internal fun shouldBeApproved(actual: String, name: String) {
    val approved = object {}.javaClass.getResource("/threadgauge/report/$name")?.readText()
    if (actual != approved) {
        val received = Path.of("target/received/$name")
        Files.createDirectories(received.parent)
        Files.writeString(received, actual)
    }
    actual shouldBe approved
}
