package threadgauge.run

import threadgauge.probe.JvmProbe
import threadgauge.target.Target

/** What can be seen from outside of a service that does not describe itself, as text by name. Asked under no load. */
internal fun factsOf(target: Target, jvm: JvmProbe?): Map<String, String> = buildMap {
    put("listens on", "${target.host}:${target.port}")
    put("processes", if (target.pid == null) "cannot be seen" else target.family().size.toString())
    jvm?.facts()?.let(::putAll)
}
