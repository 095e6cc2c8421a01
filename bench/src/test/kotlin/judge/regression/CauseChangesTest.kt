package threadgauge.judge.regression

import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.ints.shouldBeLessThanOrEqual
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.types.shouldBeInstanceOf
import java.util.Random
import org.junit.jupiter.api.Test
import threadgauge.judge.cause.ProfileOf
import threadgauge.judge.cause.Traces
import threadgauge.judge.flame.recordWith
import threadgauge.judge.recordOf
import threadgauge.model.judgement.CauseChange
import threadgauge.model.judgement.PoolChange
import threadgauge.model.judgement.cause.FlameLookup
import threadgauge.model.judgement.cause.Holder
import threadgauge.model.judgement.cause.TimeKind
import threadgauge.model.profile.CallNode
import threadgauge.model.profile.CallTree
import threadgauge.model.profile.FlameKind
import threadgauge.model.profile.FlameSource
import threadgauge.model.profile.Flames
import threadgauge.model.profile.Frame
import threadgauge.model.profile.GroupCalls
import threadgauge.model.profile.PoolKind
import threadgauge.model.profile.Profile
import threadgauge.model.profile.WaitCause

/** Known answers: profiles of which it is known what changed between them. */
class CauseChangesTest {
    private val http = "http-nio-#-exec-#"
    private val other = listOf("shop.Tax.of(Tax.kt:5)") + Traces.computing("tomcat").drop(2)

    @Test
    fun `the same profile twice changed nothing`() {
        val change = compared(computing(300, 100), computing(300, 100))
        change.isNothing shouldBe true
        change.methodsFrom shouldBe FlameSource.EVENTS
        flameChanges(listOf(recordWith(computing(300, 100))), listOf(recordWith(computing(300, 100))), FlameLookup.NONE)
            .single().graphs.first().roots.single().let { it.value shouldBe it.base }
    }

    @Test
    fun `a method that takes twice as long is named, and no other`() {
        // 40 µs per request of which three quarters are in Price.of; then that takes 60 instead of 30.
        val change = compared(computing(300, 100, cpu = 0.4), computing(600, 100, cpu = 0.7))
        val method = change.methods.single()
        method.method shouldBe Frame("shop.Price", "of", 20, "Price.kt")
        method.baseMicros shouldBe (300.0 plusOrMinus 1e-9)
        method.newMicros shouldBe (600.0 plusOrMinus 1e-9)
        (method.baseSamples to method.newSamples) shouldBe (300L to 600L)
    }

    @Test
    fun `half the requests in the same time is no change per request`() {
        val half = computing(300, 100, perSecond = 500.0, cpu = 0.2)
        compared(computing(300, 100, cpu = 0.4), half).methods.shouldBeEmpty()
    }

    @Test
    fun `few samples name nothing, however different they are`() {
        compared(computing(3, 1, cpu = 0.4), computing(6, 1, cpu = 0.7)).methods.shouldBeEmpty()
    }

    @Test
    fun `samples of equal rates hardly ever name a method`() {
        val random = Random(11)
        fun drawn() = List(20) { index -> poisson(random, 10.0 + 4 * index).toDouble() * 10 }
        val named = (1..300).count {
            val (before, now) = drawn() to drawn()
            compared(manyMethods(), manyMethods(), treeOf(before), treeOf(now)).methods.isNotEmpty()
        }
        println("$named of 300 comparisons of equal builds name a method")
        // One of a hundred may, by the level that they share.
        named shouldBeLessThanOrEqual 8
    }

    @Test
    fun `call trees are compared where both sides have them from the same source`() {
        val trees = treeOf(List(20) { 500.0 })
        val slower = treeOf(List(20) { if (it == 3) 1_500.0 else 500.0 })
        val method = compared(manyMethods(), manyMethods(), trees, slower).methods.single()
        method.method shouldBe Frame("shop.Shop", "m3")
        compared(manyMethods(), manyMethods(), trees, null).let {
            it.methods.shouldBeEmpty()
            it.methodsFrom.shouldBeNull()
        }
    }

    @Test
    fun `the collector is named where it takes more, and the compiler is not`() {
        fun tree(collector: Double, compiler: Double) = Flames(
            listOf(Frame("shop.Shop", "order"), Frame("libjvm.so", "work")),
            listOf(
                CallTree(
                    FlameKind.CPU, FlameSource.NATIVE, ((1_000 + collector + compiler) / 10).toLong(),
                    listOf(
                        GroupCalls(http, false, listOf(CallNode(0, 1_000.0))),
                        GroupCalls("GC Thread#", false, listOf(CallNode(1, collector))),
                        GroupCalls("C# CompilerThread#", false, listOf(CallNode(1, compiler))),
                    ),
                ),
            ),
        )
        val change = compared(manyMethods(), manyMethods(), tree(500.0, 300.0), tree(2_000.0, 3_000.0))
        change.methods.map { it.threads }.shouldContainExactly("GC Thread#")
        change.methods.single().method.shouldBeNull()
    }

    @Test
    fun `another holder and the longer wait are named`() {
        fun waiting(on: String, mean: Double, perSecond: Double) = ProfileOf(perSecond, meanMillis = 100.0)
            .group(http, 200, cpu = 0.1)
            .waits(WaitCause.MONITOR, http, mean, Traces.awaitingLock("tomcat"), on = on)
            .seen(http, 200 - mean, Traces.sleeping("tomcat"), "TIMED_WAITING")
        val change = compared(
            waiting("shop.Stock", 0.0, 2_000.0).profile(), waiting("shop.Stock", 180.0, 2_000.0).profile(),
        )
        change.holderChanged shouldBe true
        change.newHolder.shouldBeInstanceOf<Holder.Lock>()
        val lock = change.parts.single { it.part.kind == TimeKind.LOCK }
        lock.baseMicros shouldBe 0.0
        lock.newMicros shouldBe (90_000.0 plusOrMinus 100.0)
        change.parts.first { it.part.kind == TimeKind.SLEEP }.let { (it.newMicros < it.baseMicros) shouldBe true }
    }

    @Test
    fun `a pool of another size is named`() {
        fun pooled(max: Int) = ProfileOf(1_000.0, 20.0).group(http, 20, cpu = 0.4)
            .pool("HikariPool-1", PoolKind.HIKARI, max, busy = 3.0).profile()
        compared(pooled(10), pooled(20)).pools shouldBe listOf(PoolChange("HikariPool-1", PoolKind.HIKARI, 10, 20))
    }

    @Test
    fun `more allocation is told, and a little more is not`() {
        fun tree(bytes: Double) = Flames(
            listOf(Frame("byte[]", "new")),
            listOf(CallTree(FlameKind.ALLOCATION, FlameSource.EVENTS, 900, ofRequests(CallNode(0, bytes)))),
        )
        compared(manyMethods(), manyMethods(), tree(1e8), tree(1.1e8)).allocated.shouldBeNull()
        compared(manyMethods(), manyMethods(), tree(1e8), tree(2e8)).allocated!!.let {
            it.base shouldBe 10_000.0
            it.new shouldBe 20_000.0
        }
    }

    @Test
    fun `without profiles on both sides there is nothing to say`() {
        val plain = recordOf(mapOf("a" to listOf(1_000.0, 1_000.0, 1_000.0)))
        compareRecords(listOf(plain), listOf(recordWith(computing(300, 100)))).causes.shouldBeEmpty()
        flameChanges(listOf(plain), listOf(recordWith(computing(300, 100))), FlameLookup.NONE).shouldBeEmpty()
    }

    private fun ofRequests(node: CallNode) = listOf(GroupCalls(http, false, listOf(node)))

    /** Samples in `Price.of`, and in another method. */
    private fun computing(price: Long, tax: Long, perSecond: Double = 1_000.0, cpu: Double = 0.4): Profile =
        ProfileOf(perSecond, meanMillis = 20.0).group(http, 20, cpu = cpu)
            .runs(http, price, Traces.computing("tomcat")).runs(http, tax, other).profile()

    private fun manyMethods() = ProfileOf(1_000.0, 20.0).group(http, 20, cpu = 0.9)
        .group("GC Thread#", 2, cpu = 0.1, isOfJvm = true).group("C# CompilerThread#", 2, cpu = 0.1, isOfJvm = true)
        .profile()

    /** Of so many milliseconds in one method each, ten for a sample. */
    private fun treeOf(millis: List<Double>) = Flames(
        millis.indices.map { Frame("shop.Shop", "m$it") },
        listOf(
            CallTree(
                FlameKind.CPU, FlameSource.NATIVE, (millis.sum() / 10).toLong(),
                listOf(GroupCalls(http, false, millis.mapIndexed { index, own -> CallNode(index, own) })),
            ),
        ),
    )

    private fun compared(base: Profile, new: Profile, before: Flames? = null, now: Flames? = null): CauseChange {
        val (old, other) = recordWith(base.copy(flames = "old")) to recordWith(new.copy(flames = "new"))
        return compareRecords(
            listOf(old), listOf(other), lookup = { _, file -> if (file == "old") before else now },
        ).causes.single()
    }

    private fun poisson(random: Random, mean: Double): Int {
        var count = 0
        var left = mean
        while (true) {
            left += Math.log(1 - random.nextDouble())
            if (left < 0) return count
            count++
        }
    }
}
