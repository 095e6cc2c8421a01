package threadgauge.probe.profile

import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.doubles.shouldBeGreaterThan
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.shouldBe
import java.nio.file.Path
import kotlin.io.path.createDirectories
import kotlin.io.path.exists
import kotlin.io.path.writeText
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import threadgauge.model.profile.ThreadGroup

class TaskTimesTest {
    @TempDir
    lateinit var proc: Path

    @Test
    fun `threads are grouped with what they used since, under the names that Java knows`() {
        task(1, 1, "java", "5000000 0 1")
        task(1, 2, "http-nio-8080-e", "1000000 500000 1")
        task(1, 3, "http-nio-8080-e", "1000000 500000 1")
        task(1, 4, "C2 CompilerThre", "9000000 0 1")
        val before = TaskTimes.read(setOf(1), 1, proc)
        task(1, 2, "http-nio-8080-e", "41000000 1500000 1")
        task(1, 3, "http-nio-8080-e", "31000000 500000 1")
        task(1, 5, "http-nio-8080-e", "20000000 2000000 1")
        task(1, 4, "C2 CompilerThre", "10000000 0 1")
        val names = listOf(2L, 3L, 5L).associateWith { "http-nio-8080-exec-$it" } + (4L to "C2 CompilerThread0")
        TaskTimes.read(setOf(1), 1, proc).groupsSince(before, names) shouldContainExactly listOf(
            ThreadGroup("http-nio-#-exec-#", 3, 90.0, 3.0, started = 1),
            ThreadGroup("C# CompilerThread#", 1, 1.0, 0.0, isOfJvm = true, started = 0),
            ThreadGroup("java", 1, 0.0, 0.0, isOfJvm = true, started = 0),
        )
    }

    @Test
    fun `without names of Java those of the kernel count, and only known ones are of the JVM`() {
        task(1, 1, "java", "1 0 1")
        task(7, 7, "worker-1", "2000000 0 1")
        task(7, 8, "VM Thread", "1000000 0 1")
        val none = TaskTimes(emptyMap())
        val groups = TaskTimes.read(setOf(7), 1, proc).groupsSince(none, emptyMap())
        groups.map { it.name to it.isOfJvm } shouldContainExactly
            listOf("worker-#" to false, "VM Thread" to true, "java" to false)
    }

    @Test
    fun `where the kernel keeps no schedule statistics, time is counted in ticks and waits are unknown`() {
        val folder = proc.resolve("1/task/1").createDirectories()
        folder.resolve("comm").writeText("a b)\n")
        folder.resolve("stat").writeText("1 (a b)) S " + (4..13).joinToString(" ") + " 3 4 0 0\n")
        val group = TaskTimes.read(setOf(1), 1, proc).groupsSince(TaskTimes(emptyMap()), emptyMap()).single()
        group.cpuMillis shouldBe 70.0
        group.waitedForCoreMillis.shouldBeNull()
    }

    @Test
    fun `this process has threads that used time`() {
        if (!Path.of("/proc/self/task").exists()) return
        val own = ProcessHandle.current().pid()
        TaskTimes.read(setOf(own), own).groupsSince(TaskTimes(emptyMap()), emptyMap())
            .sumOf { it.cpuMillis } shouldBeGreaterThan 10.0
    }

    private fun task(pid: Int, id: Int, name: String, schedule: String) {
        val folder = proc.resolve("$pid/task/$id").createDirectories()
        folder.resolve("comm").writeText("$name\n")
        folder.resolve("schedstat").writeText("$schedule\n")
    }
}
