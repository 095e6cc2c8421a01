package threadgauge.target

/**
 * What is inherited of the environment by the servers that come along, and by all that works for them. A variable such
 * as `JAVA_TOOL_OPTIONS` or `SPRING_THREADS_VIRTUAL_ENABLED` would change what is measured, and no record would tell. A
 * service of the user's own inherits everything: it may need it, and the user has set it.
 */
internal fun cleanEnvironment(all: Map<String, String> = System.getenv()): Map<String, String> =
    all.filterKeys { name -> name in INHERITED || INHERITED_BEGINNINGS.any(name::startsWith) }

/** Where programs and libraries are, who asks, and how text and time are written. */
private val INHERITED =
    setOf(
        "PATH", "JAVA_HOME", "LD_LIBRARY_PATH", "HOME", "USER", "LOGNAME", "SHELL", "TMPDIR", "LANG", "LANGUAGE", "TZ",
    )

private val INHERITED_BEGINNINGS = listOf("LC_", "THREADGAUGE_")

/**
 * [command] of a stack, which is given the variables that the system property names, `NAME=value` each with a blank
 * between: for tests, whose servers need not be fast. They stand in the command, so the record tells of them.
 */
internal fun withGivenVariables(command: List<String>): List<String> =
    System.getProperty("threadgauge.servers.environment")?.let { listOf("env") + it.split(' ') + command } ?: command
