package threadgauge.checks

import com.tngtech.archunit.core.domain.JavaClass
import com.tngtech.archunit.core.importer.ClassFileImporter
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldNotBeEmpty
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

class TicketsArchitectureTest {
    private val core = ClassFileImporter().importPath(projectRoot.resolve("tickets/core/target/classes"))
    private val bad = ClassFileImporter().importPackages("threadgauge.checks.bad")

    @Test
    fun `the core of the tickets knows no framework and no database`() {
        core.toList().shouldNotBeEmpty()
        strangers(core).joinToString("\n") shouldBe ""
    }

    @Test
    fun `rules and histories touch no clock, file, socket or thread`() {
        val pure = core.filter { it.packageName.endsWith(".rules") || it.packageName.endsWith(".history") }
        pure.shouldNotBeEmpty()
        Purity.violations(pure).shouldBeEmpty()
    }

    @Test
    fun `a use of something else is found`() {
        strangers(bad).shouldNotBeEmpty()
    }

    private fun strangers(classes: Iterable<JavaClass>) = classes.flatMap { origin ->
        origin.directDependenciesFromSelf.map { it.targetClass.baseComponentType }
            .filterNot { target -> target.isPrimitive || ALLOWED.any { target.packageName.isOrIsIn(it) } }
            .map { "${origin.name} must not use ${it.name}" }
    }.distinct().sorted()

    private fun String.isOrIsIn(other: String) = this == other || startsWith("$other.")

    private companion object {
        val ALLOWED = listOf(
            "java.lang", "java.util", "java.time", "java.security", "javax.crypto", "kotlin", "kotlinx.coroutines",
            "threadgauge.tickets",
            "org.jetbrains.annotations",
        )
    }
}
