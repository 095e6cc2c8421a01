package threadgauge.run.launch

import threadgauge.probe.JvmProbe
import threadgauge.target.OwnService
import threadgauge.target.Target

/** What can be seen from outside of a service that does not describe itself, as text by name. Asked under no load. */
internal fun factsOf(target: Target, jvm: JvmProbe?): Map<String, String> = buildMap {
    if (target is OwnService) put(
        "port", if (target.tookItsPort) "the one it was told" else "${target.port}, by its own choice",
    )
    put("processes", if (target.pid == null) "cannot be seen" else target.family().size.toString())
    jvm?.facts()?.let(::putAll)
}
