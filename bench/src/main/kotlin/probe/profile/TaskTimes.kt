package threadgauge.probe.profile

import java.io.IOException
import java.nio.file.Path
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.name
import kotlin.io.path.readText
import threadgauge.model.profile.ThreadGroup
import threadgauge.probe.MILLIS_PER_TICK

/** What one thread has used so far, in nanoseconds; [waited] is null where the kernel does not count it. */
internal class TaskTime(val isOfMain: Boolean, val name: String, val cpu: Long, val waited: Long?)

/**
 * What every thread of processes has used so far, by its number in the kernel, read from `/proc`. Threads that have
 * ended are not in it.
 */
internal class TaskTimes(val tasks: Map<Long, TaskTime>) {
    /**
     * The groups of threads with what they used since [earlier], the one with most CPU time first. [javaNames] are
     * those that the main process knows; empty where it was not asked. Its other threads have no Java code.
     */
    fun groupsSince(earlier: TaskTimes, javaNames: Map<Long, String>): List<ThreadGroup> {
        val groups = tasks.entries.groupBy { (id, task) ->
            val known = if (task.isOfMain) javaNames[id] else null
            val name = known ?: task.name
            groupOf(name) to (isOfJvm(name) || task.isOfMain && javaNames.isNotEmpty() && known == null)
        }
        return groups.map { (group, members) ->
            val (name, isOfJvm) = group
            val cpu = members.sumOf { (id, now) -> now.cpu - (earlier.tasks[id]?.cpu ?: 0) }
            val waits = members.mapNotNull { (id, now) -> now.waited?.minus(earlier.tasks[id]?.waited ?: 0) }
            val waited = if (waits.isEmpty()) null else waits.sum() / 1e6
            ThreadGroup(name, members.size, cpu / 1e6, waited, isOfJvm, members.count { it.key !in earlier.tasks })
        }.sortedByDescending { it.cpuMillis }
    }

    companion object {
        /** Of the processes [pids], of which [main] is the one that is attached to. Throws [IOException]. */
        fun read(pids: Set<Long>, main: Long, proc: Path = Path.of("/proc")): TaskTimes {
            val tasks = HashMap<Long, TaskTime>()
            for (pid in pids + main) {
                val folders = try {
                    proc.resolve("$pid/task").listDirectoryEntries()
                } catch (gone: IOException) {
                    if (pid == main) throw gone else continue
                }
                for (folder in folders) {
                    // A thread may end meanwhile.
                    runCatching { read(folder, pid == main) }.getOrNull()?.let { tasks[folder.name.toLong()] = it }
                }
            }
            return TaskTimes(tasks)
        }

        /**
         * `schedstat` has nanoseconds on a core, nanoseconds waiting for one, and slices (sched-stats.rst of the kernel
         * documentation); without it `stat` has the first in ticks (proc_pid_stat(5)).
         */
        private fun read(task: Path, isOfMain: Boolean): TaskTime {
            val name = task.resolve("comm").readText().trimEnd('\n')
            val exact = runCatching { task.resolve("schedstat").readText().trim().split(' ') }.getOrNull()
            if (exact != null && exact.size > 1) return TaskTime(isOfMain, name, exact[0].toLong(), exact[1].toLong())
            val stat = task.resolve("stat").readText().substringAfterLast(") ").split(' ')
            val ticks = stat[UTIME - 3].toLong() + stat[UTIME - 2].toLong()
            return TaskTime(isOfMain, name, (ticks * MILLIS_PER_TICK * 1e6).toLong(), null)
        }

        /** Number of the field with user time, counted from 1; system time follows. The first after the name is 3. */
        private const val UTIME = 14
    }
}
