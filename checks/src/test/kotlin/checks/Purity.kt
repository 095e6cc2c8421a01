package threadgauge.checks

import com.tngtech.archunit.core.domain.JavaClass

/**
 * Finds what makes a result depend on more than the arguments: a clock, a file, a socket, a thread, a process, chance
 * without a seed. Packages that are free of them can be rebuilt from a record at any time and tested without waiting.
 */
internal object Purity {
    fun violations(classes: Iterable<JavaClass>): List<String> = classes.flatMap { origin ->
        val types = origin.directDependenciesFromSelf.map { it.targetClass.baseComponentType.name }
            .filter(IMPURE_TYPES::matches)
        val calls = (origin.methodCallsFromSelf + origin.methodReferencesFromSelf)
            .map { "${it.targetOwner.name}.${it.name}" }.filter(IMPURE_CALLS::matches)
        (types + calls).map { "${origin.name} must be pure and uses $it" }
    }.distinct().sorted()

    private val IMPURE_TYPES = Regex(
        listOf(
            """java\.nio\.(file|channels)\..*""", """java\.net\..*""", """java\.io\.(?!Serializable$).*""",
            """javax\.net\..*""",
            """java\.util\.concurrent\..*""", """java\.util\.Timer.*""", """java\.time\..*Clock.*""",
            """java\.lang\.(Thread|ThreadLocal|ThreadGroup|Process|ProcessBuilder|ProcessHandle|Runtime)(\$.*)?""",
            """kotlin\.(io|concurrent)\..*""", """kotlin\.time\.(TimeSource|MonotonicTimeSource|Clock|MeasureTime).*""",
            """kotlin\.random\.Random\${'$'}Default""", """kotlinx\.(coroutines|io)\..*""", """io\.netty\..*""",
        ).joinToString("|"),
    )
    private val IMPURE_CALLS = Regex(
        """java\.lang\.System\.(nanoTime|currentTimeMillis|getenv|getProperty|exit)""" +
            """|java\.time\..*\.now|java\.lang\.Math\.random""",
    )
}
