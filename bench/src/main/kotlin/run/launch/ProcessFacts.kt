package threadgauge.run.launch

import threadgauge.probe.JvmProbe
import threadgauge.target.OwnService
import threadgauge.target.Target

/** What can be observed of a service that does not describe itself, as text by name. To be called under no load. */
internal fun factsOf(target: Target, jvm: JvmProbe?): Map<String, String> = buildMap {
    if (target is OwnService) put("port", if (target.tookItsPort) "as told" else "${target.port} (its own)")
    put("processes", if (target.pid == null) "not seen" else target.family().size.toString())
    jvm?.facts()?.let(::putAll)
}
