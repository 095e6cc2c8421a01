package threadgauge.probe.profile.flame

import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.ints.shouldBeLessThanOrEqual
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import threadgauge.model.profile.CallNode
import threadgauge.model.profile.FlameKind
import threadgauge.model.profile.FlameSource
import threadgauge.model.profile.Frame

class CallTreeBuilderTest {
    private val builder = CallTreeBuilder()
    private val index = FrameIndex()
    private val run = Frame("java.lang.Thread", "run", 1)

    @Test
    fun `traces with the same callers share them, and the value is with the innermost`() {
        builder.add("a", false, listOf(Frame("Shop", "price", 7), Frame("Shop", "order", 3), run), 2.0)
        builder.add("a", false, listOf(Frame("Shop", "order", 4), run), 3.0)
        val top = tree().groups.single().calls.single()
        index.frames[top.frame] shouldBe run.copy(file = "Thread.java")
        val order = top.calls.single()
        order.own shouldBe 3.0
        index.frames[order.calls.single().frame].method shouldBe "price"
    }

    @Test
    fun `a method has the line that took most, and the file of its class`() {
        builder.add("a", false, listOf(Frame("Shop", "order", 3), run), 2.0)
        builder.add("a", false, listOf(Frame("Shop", "order", 9), run), 5.0)
        val order = tree().groups.single().calls.single().calls.single()
        index.frames[order.frame] shouldBe Frame("Shop", "order", 9, "Shop.java")
        order.own shouldBe 7.0
    }

    @Test
    fun `threads of another name, and virtual ones, have a tree of their own, the largest first`() {
        builder.add("a", false, listOf(run), 1.0)
        builder.add("a", true, listOf(run), 3.0)
        builder.add("b", false, listOf(run), 2.0)
        tree().groups.map { it.threads to it.isVirtual } shouldBe listOf("a" to true, "b" to false, "a" to false)
    }

    @Test
    fun `what is too small is summed, so that nothing is lost and a tree has no more than a thousand leaves`() {
        builder.add("a", false, listOf(Frame("Large", "one"), run), 1_000_000.0)
        repeat(20_000) { builder.add("a", false, listOf(Frame("Small$it", "one"), run), 100.0) }
        val calls = tree().groups.single().calls.single().calls
        calls.size shouldBe 2
        calls[1] shouldBe CallNode(CallNode.REST, 2_000_000.0)
        fun all(node: CallNode): Double = node.own + node.calls.sumOf(::all)
        tree().groups.single().calls.sumOf(::all) shouldBe (3_000_000.0 plusOrMinus 1e-3)
    }

    @Test
    fun `of many equal leaves each is kept while it is a thousandth`() {
        repeat(1_000) { builder.add("a", false, listOf(Frame("Leaf$it", "one"), run), 1.0) }
        tree().groups.single().calls.single().calls.size shouldBeLessThanOrEqual 1_000
    }

    @Test
    fun `a thread without frames is kept, and nothing makes no tree`() {
        CallTreeBuilder().tree(FlameKind.CPU, FlameSource.EVENTS, 0, index) { null }.shouldBeNull()
        builder.add("a", false, emptyList(), 4.0)
        tree().groups.single().calls shouldBe listOf(CallNode(CallNode.REST, 4.0))
    }

    private fun tree() =
        builder.tree(FlameKind.CPU, FlameSource.EVENTS, 10, index) { "${it.substringAfterLast('.')}.java" }!!
}
