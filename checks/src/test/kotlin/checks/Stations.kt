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
        val steps =
            packageName.removePrefix("$root.").split('.').takeIf { packageName.startsWith("$root.") } ?: return null
        val station = if (steps[0] == "load") steps.take(2).joinToString(".") else steps[0]
        return station.takeIf { it in ALL }
    }

    fun mayUse(from: String, to: String): Boolean = from == to || to in MAY_USE.getValue(from)

    /** One line for each pair of classes that must not know each other. */
    fun violations(classes: Iterable<JavaClass>): List<String> = classes.flatMap { origin ->
        val from = stationOf(origin.packageName) ?: return@flatMap emptyList()
        origin.directDependenciesFromSelf.map { it.targetClass.baseComponentType }
            .filter { target ->
                stationOf(target.packageName).let { it != null && !mayUse(from, it) } || isProduct(target)
            }
            .map { "$from must not use ${it.name} (${origin.name})" }
    }.distinct().sorted()

    /** Packages of the bench that are no station: new ones are to be added here, with a place in the rules. */
    fun strangers(classes: Iterable<JavaClass>): List<String> =
        classes.map { it.packageName }.distinct().filter { it.startsWith(root) && stationOf(it) == null }.sorted()

    /** Servers and tickets are known to the bench as a process, a port and a stacks.yaml only. */
    private fun isProduct(target: JavaClass) =
        listOf("server", "servers", "tickets").any { target.packageName.startsWith("$root.$it") }

    private companion object {
        private val LOAD_INTERNALS = setOf("load.schedule", "load.http", "load.record")

        /** Everything that a run needs to put a load on a target and to keep what it saw. */
        private val RUN = setOf("model", "stats", "knee", "map", "plan", "store", "target", "probe", "load.agent")

        /** What each station may use besides itself. A station that is not here is unknown. */
        val MAY_USE: Map<String, Set<String>> = mapOf(
            "model" to emptySet(),
            "load.schedule" to emptySet(),
            "load.record" to setOf("model"),
            "load.http" to setOf("model", "load.schedule", "load.record"),
            "load.agent" to setOf("model") + LOAD_INTERNALS,
            "target" to setOf("model"),
            "probe" to setOf("model"),
            "store" to setOf("model"),
            "experiment" to setOf("model"),
            "draft" to setOf("model"),
            "stats" to setOf("model"),
            // Both searches reckon with statistics; all are pure, so nothing reaches the machine through this door.
            "knee" to setOf("model", "stats"),
            "map" to setOf("model", "stats"),
            "plan" to setOf("model", "experiment", "knee"),
            "judge" to setOf("model", "stats", "knee", "map"),
            "wording" to setOf("model"),
            "report" to setOf("model", "wording"),
            "serve" to setOf("model", "store", "judge", "wording", "report"),
            "run" to RUN,
            // It hears of a run, messages of the load agents included, and changes nothing in it.
            "telemetry" to setOf("model", "load.agent", "run"),
            "doctor" to RUN + "run",
            "demo" to setOf("model", "target", "run"),
            "cli" to setOf(
                "model", "experiment", "draft", "plan", "run", "store", "judge", "wording", "report", "serve", "demo",
                "doctor", "telemetry",
            ),
        )
        val ALL = MAY_USE.keys
    }
}
