package threadgauge.checks

import com.tngtech.archunit.core.domain.JavaClass

/**
 * Who may use whom in the bench. A station is a package below [root]; those of the load are told apart one by one.
 *
 * Data moves one way along the road, so stations know the model and not each other; only the run knows them all. The
 * rule speaks of class files, so a name written out in full counts as much as an import.
 */
internal class Stations(private val root: String) {
    /** The station of a package, or null if it lies outside the bench. */
    fun stationOf(packageName: String): String? {
        val steps = packageName.removePrefix("$root.").split('.').takeIf { packageName.startsWith("$root.") } ?: return null
        val station = if (steps[0] == "load") steps.take(2).joinToString(".") else steps[0]
        return station.takeIf { it in ALL }
    }

    fun mayUse(from: String, to: String): Boolean = when {
        from == to -> true
        to == "cli" -> false
        from == "model" || from == "load.schedule" -> false
        to == "model" -> true
        // Commands read a file, start a run, and turn a record into verdicts and reports.
        from == "cli" -> to in setOf("experiment", "run", "judge", "report")
        to == "run" -> false
        from == "load.agent" -> to in LOAD_INTERNALS
        from == "load.http" -> to in setOf("load.schedule", "load.record")
        to in LOAD_INTERNALS -> false
        from == "run" -> true
        // A verdict is reckoned from statistics; both are pure, so nothing reaches the machine through this door.
        from == "judge" -> to == "stats"
        else -> false
    }

    /** One line for each pair of classes that must not know each other. */
    fun violations(classes: Iterable<JavaClass>): List<String> = classes.flatMap { origin ->
        val from = stationOf(origin.packageName) ?: return@flatMap emptyList()
        origin.directDependenciesFromSelf.map { it.targetClass.baseComponentType }
            .filter { target -> stationOf(target.packageName).let { it != null && !mayUse(from, it) } || isProduct(target) }
            .map { "$from must not use ${it.name} (${origin.name})" }
    }.distinct().sorted()

    /** Packages of the bench that are no station: new ones are to be added here, with a place in the rules. */
    fun strangers(classes: Iterable<JavaClass>): List<String> =
        classes.map { it.packageName }.distinct().filter { it.startsWith(root) && stationOf(it) == null }.sorted()

    /** Servers and tickets are known to the bench as a process, a port and a stacks.yaml only. */
    private fun isProduct(target: JavaClass) =
        listOf("server", "servers", "tickets").any { target.packageName.startsWith("$root.$it") }

    private companion object {
        val LOAD_INTERNALS = setOf("load.schedule", "load.http", "load.record")
        val ALL = LOAD_INTERNALS + setOf(
            "model", "experiment", "target", "load.agent", "probe", "stats", "judge", "report", "run", "cli",
        )
    }
}
