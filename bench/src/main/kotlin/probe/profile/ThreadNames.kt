package threadgauge.probe.profile

import threadgauge.model.profile.ThreadGroup

/** The name of the group of threads that [name] belongs to, as [ThreadGroup.name]. */
internal fun groupOf(name: String): String = DIGITS.replace(name, "#")

/** As [groupOf], of a virtual thread, which often has no name. */
internal fun groupOfVirtual(name: String?): String = if (name.isNullOrEmpty()) VIRTUAL else groupOf(name)

/**
 * Whether the JVM made a thread of this [name] for itself: its compilers and collectors, and threads that observe it,
 * such as those of JFR and of the connection of this program. The kernel cuts a name after 15 characters, so the
 * beginning counts.
 */
internal fun isOfJvm(name: String): Boolean = OF_JVM.any { name.startsWith(it) }

/** The group of virtual threads without a name. */
internal const val VIRTUAL = "virtual"

private val DIGITS = Regex("[0-9]+")

/** Of HotSpot (its compilers, its collectors, `vmThread.cpp`) and of modules of the JDK; cut as the kernel does. */
private val OF_JVM = listOf(
    "VM Thread", "VM Periodic Tas", "C1 CompilerThre", "C2 CompilerThre", "JVMCI", "Sweeper thread", "Service Thread",
    "GC Thread#", "G1 ", "ZDirector", "ZDriver", "ZWorker", "ZStat", "ZUncommitter", "ZUnmapper", "XDirector",
    "XDriver", "XWorker", "XStat", "XUncommitter", "XUnmapper", "Shenandoah", "Gang worker", "Concurrent Mark",
    "StrDedup", "Monitor Deflati", "Notification Th", "Signal Dispatch", "Attach Listener", "Finalizer",
    "Reference Handl", "Common-Cleaner", "JFR ", "RMI TCP ", "RMI Scheduler(", "RMI GC Daemon", "RMI Reaper",
    "JMX server conn", "process reaper",
)
