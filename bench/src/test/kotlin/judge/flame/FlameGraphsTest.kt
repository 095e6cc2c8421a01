package threadgauge.judge.flame

import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.ints.shouldBeLessThanOrEqual
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import threadgauge.judge.cause.ProfileOf
import threadgauge.judge.cause.Traces
import threadgauge.judge.recordOf
import threadgauge.model.Record
import threadgauge.model.judgement.cause.FlameGraph
import threadgauge.model.judgement.cause.FlameLookup
import threadgauge.model.judgement.cause.FlameNode
import threadgauge.model.judgement.cause.FrameKind
import threadgauge.model.profile.CallNode
import threadgauge.model.profile.CallTree
import threadgauge.model.profile.FlameKind
import threadgauge.model.profile.FlameSource
import threadgauge.model.profile.Flames
import threadgauge.model.profile.Frame
import threadgauge.model.profile.GroupCalls
import threadgauge.model.profile.Profile

class FlameGraphsTest {
    /** 1,000 requests a second for ten seconds, at 0.5 cores: 500 µs per request, a quarter of it in each sample. */
    private val profile = ProfileOf(perSecond = 1_000.0, meanMillis = 20.0)
        .group("http-nio-#-exec-#", 20, cpu = 0.5).group("GC Thread#", 2, cpu = 0.1, isOfJvm = true)
        .runs("http-nio-#-exec-#", 30, Traces.computing("tomcat"))
        .runs("http-nio-#-exec-#", 10, Traces.computing("tomcat").drop(1))
        .seen("http-nio-#-exec-#", 8.0, Traces.sleeping("tomcat"), "TIMED_WAITING")
        .seen("http-nio-#-exec-#", 12.0, Traces.idleTomcat)
        .profile()

    @Test
    fun `without call trees a graph is made of the profile, per request`() {
        val graphs = graphs(profile)
        val cpu = graphs.single { it.kind == FlameKind.CPU }
        cpu.source shouldBe FlameSource.EVENTS
        cpu.samples shouldBe 40
        cpu.roots.single().let {
            it.kind shouldBe FrameKind.THREADS
            it.threads shouldBe "http-nio-#-exec-#"
            it.value shouldBe (500.0 plusOrMinus 1e-9)
        }
        val price = cpu.node("of")
        price.value shouldBe (500.0 plusOrMinus 1e-9)
        price.kind shouldBe FrameKind.OWN
        price.calls.single().let {
            it.kind shouldBe FrameKind.JDK
            it.value shouldBe (375.0 plusOrMinus 1e-9)
        }
        cpu.node("doDispatch").kind shouldBe FrameKind.LIBRARY
        cpu.tops.map { it.frame.method to it.value } shouldBe listOf("get" to 375.0, "of" to 125.0)
    }

    @Test
    fun `threads that wait for work are left out of the time by the clock`() {
        val wall = graphs(profile).single { it.kind == FlameKind.WALL }
        // Eight threads sleep while 1,000 requests a second are served: 8 ms of each.
        wall.roots.single().value shouldBe (8_000.0 plusOrMinus 1e-6)
        wall.all().none { it.frame?.method == "take" } shouldBe true
    }

    @Test
    fun `call trees of a file are taken before the profile`() {
        val frames = listOf(
            Frame("java.lang.Thread", "run"), Frame("shop.Shop", "order", 44, "Shop.kt"), Frame("libjvm.so", "memcpy"),
            Frame("byte[]", "new"),
        )
        val order = CallNode(1, 100.0, listOf(CallNode(2, 300.0), CallNode(CallNode.REST, 50.0), CallNode(99, 1.0)))
        val calls = listOf(GroupCalls("http-nio-#-exec-#", false, listOf(CallNode(0, calls = listOf(order)))))
        val made = listOf(GroupCalls("a", false, listOf(CallNode(0, calls = listOf(CallNode(3, 40_960_000.0))))))
        val trees = listOf(
            CallTree(FlameKind.CPU, FlameSource.NATIVE, 45, calls),
            CallTree(FlameKind.ALLOCATION, FlameSource.EVENTS, 9, made),
        )
        val graphs = graphs(profile, Flames(frames, trees))
        graphs.map { it.kind } shouldContainExactly listOf(FlameKind.CPU, FlameKind.ALLOCATION)
        // 450 ms over 10,000 requests; a frame that the file does not have is ignored.
        graphs[0].roots.single().value shouldBe (45.0 plusOrMinus 1e-9)
        graphs[0].node("order").calls.map { it.kind to it.value } shouldBe
            listOf(FrameKind.NATIVE to 30.0, FrameKind.REST to 5.0)
        graphs[0].node("order").frame shouldBe frames[1]
        graphs[1].roots.single().value shouldBe (4_096.0 plusOrMinus 1e-9)
    }

    @Test
    fun `native frames do not hide that a thread waits for work`() {
        val frames = listOf(Frame("libc.so.6", "futex"), Frame("libjvm.so", "Parker::park")) +
            Traces.idleTomcat.map { Frame(it.substringBeforeLast('.'), it.substringAfterLast('.')) }
        val nested = frames.indices.fold<Int, CallNode?>(null) { inner, at ->
            CallNode(at, if (inner == null) 100.0 else 0.0, listOfNotNull(inner))
        }!!
        val calls = listOf(GroupCalls("http-nio-#-exec-#", false, listOf(nested)))
        val tree = CallTree(FlameKind.WALL, FlameSource.NATIVE, 5, calls)
        graphs(profile, Flames(frames, listOf(tree))).shouldBeEmpty()
    }

    @Test
    fun `a graph has a thousand nodes at most, the largest with all that call them`() {
        val frames = List(3_001) { Frame("shop.Shop", "m$it") }
        val leaves = List(3_000) { CallNode(it + 1, 3_000.0 - it) }
        val tree = CallTree(
            FlameKind.CPU, FlameSource.NATIVE, 5, listOf(GroupCalls("a", false, listOf(CallNode(0, calls = leaves)))),
        )
        val graph = graphs(profile, Flames(frames, listOf(tree))).single()
        graph.all().size shouldBeLessThanOrEqual 1_000
        graph.all().mapNotNull { it.frame?.method }.toSet() shouldBe frames.take(999).map { it.method }.toSet()
        graph.roots.single().value shouldBe (leaves.sumOf { it.own } * 1e3 / profile.answered plusOrMinus 1e-6)
    }

    @Test
    fun `a difference has both values, also of what is gone`() {
        val before = foldedStacks(profile, null).single { it.kind == FlameKind.CPU }
        val moved = ProfileOf(perSecond = 500.0, meanMillis = 20.0).group("http-nio-#-exec-#", 20, cpu = 0.5)
            .runs("http-nio-#-exec-#", 40, Traces.computing("tomcat").drop(1)).profile()
        val graph = graphOf(foldedStacks(moved, null).single { it.kind == FlameKind.CPU }, before)
        graph.isDifference shouldBe true
        graph.node("of").let {
            it.value shouldBe (1_000.0 plusOrMinus 1e-9)
            it.base shouldBe (500.0 plusOrMinus 1e-9)
            it.width(isDifference = true) shouldBe (750.0 plusOrMinus 1e-9)
            it.calls.single().value shouldBe 0.0
            it.calls.single().base shouldBe (375.0 plusOrMinus 1e-9)
        }
    }

    @Test
    fun `a profile without answers has no graph, and a record without profiles has none`() {
        flameGraphs(recordOf(mapOf("a" to listOf(1.0)))).shouldBeEmpty()
        graphs(profile.copy(answered = 0)).shouldBeEmpty()
        profiledCell(recordOf(mapOf("a" to listOf(1.0))), "a", "s", FlameLookup.NONE).shouldBeNull()
    }

    private fun graphs(profile: Profile, flames: Flames? = null): List<FlameGraph> {
        val record = recordWith(profile.copy(flames = "flames/x.json.gz"))
        return flameGraphs(record) { _, _ -> flames }.flatMap { it.graphs }
    }

    private fun FlameGraph.all(): List<FlameNode> = roots.flatMap { it.all() }
    private fun FlameNode.all(): List<FlameNode> = listOf(this) + calls.flatMap { it.all() }
    private fun FlameGraph.node(method: String): FlameNode = all().single { it.frame?.method == method }
}

/** A record of one stack with this profile. */
internal fun recordWith(profile: Profile, perSecond: Double = 1_000.0): Record =
    recordOf(mapOf("a" to listOf(perSecond, perSecond, perSecond))).let { record ->
        record.copy(trials = record.trials.map { if (it.number == 1) it.copy(profiles = listOf(profile)) else it })
    }
