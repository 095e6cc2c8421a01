package threadgauge.target

/**
 * The environment variables that shipped servers, and the services they use, inherit. A variable such as
 * `JAVA_TOOL_OPTIONS` or `SPRING_THREADS_VIRTUAL_ENABLED` would change what is measured, and the record would not show
 * it. A service of the user's own inherits everything, because it may need what the user has set.
 */
internal fun cleanEnvironment(all: Map<String, String> = System.getenv()): Map<String, String> =
    all.filterKeys { name -> name in INHERITED || INHERITED_BEGINNINGS.any(name::startsWith) }

/** Locations of programs and libraries, the user, and the format of text and time. */
private val INHERITED =
    setOf(
        "PATH", "JAVA_HOME", "LD_LIBRARY_PATH", "HOME", "USER", "LOGNAME", "SHELL", "TMPDIR", "LANG", "LANGUAGE", "TZ",
    )

private val INHERITED_BEGINNINGS = listOf("LC_", "THREADGAUGE_")

/**
 * [command] with the variables of the system property `threadgauge.servers.environment`: `NAME=value`, separated by
 * spaces. For tests, whose servers need not be fast. They are part of the command, so the record shows them.
 */
internal fun withGivenVariables(command: List<String>): List<String> =
    System.getProperty("threadgauge.servers.environment")?.let { listOf("env") + it.split(' ') + command } ?: command
