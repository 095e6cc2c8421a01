package threadgauge.demo

import java.nio.file.Path
import threadgauge.model.Service
import threadgauge.model.ServiceKind
import threadgauge.model.Stack
import threadgauge.run.Cancellation
import threadgauge.run.launch.BuildEvent
import threadgauge.run.launch.StackBuild

/**
 * The programs of a sale, from the `stacks.yaml` files below [home]. Only this file knows their folders. [service] is
 * the reservation service, with any strategy. [services] are all services of the catalogue.
 */
class SalePrograms(private val home: Path, private val service: Stack, private val services: List<Service>) {
    /** Folder of the reservation service. */
    val folder: String get() = service.folder

    /** The command of the reservation service without arguments; `{java}` is the Java to use. */
    val command: List<String> get() = service.command.take(service.command.indexOf("-jar") + 2)

    /** The service that starts `postgresql`, `mariadb` or `redis` for a sale. */
    fun database(name: String): Service = services.first { it.kind in KINDS && it.name.substringBefore('-') == name }

    /** Builds the reservation service and the [databases] of these names, as [StackBuild.build]. */
    fun build(databases: List<String>, cancellation: Cancellation, tell: (BuildEvent) -> Unit) {
        val modules = listOf(service.module) + databases.map { database(it).module }
        StackBuild(home, emptySet()).build(modules.filterNotNull(), cancellation, tell)
    }

    private companion object {
        val KINDS = setOf(ServiceKind.BOOKS, ServiceKind.MEMORY)
    }
}
