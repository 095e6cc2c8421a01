package threadgauge.wording.cause

import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import io.kotest.matchers.string.shouldStartWith
import org.junit.jupiter.api.Test
import threadgauge.model.judgement.cause.Because
import threadgauge.model.judgement.cause.CodePlace
import threadgauge.model.judgement.cause.GroupWait
import threadgauge.model.judgement.cause.Holder
import threadgauge.model.judgement.cause.HotPlace
import threadgauge.model.judgement.cause.PartShare
import threadgauge.model.judgement.cause.PlaceTrouble
import threadgauge.model.judgement.cause.ThreadRole
import threadgauge.model.judgement.cause.TimeKind
import threadgauge.model.judgement.cause.TimePart
import threadgauge.model.profile.Frame
import threadgauge.model.profile.NoProfile
import threadgauge.model.profile.NoProfileReason
import threadgauge.model.profile.ProfileGap
import threadgauge.model.profile.ProfilePart
import threadgauge.report.exampleJudgement
import threadgauge.report.exampleRecord

class BecauseWordsTest {
    private val sleep = CodePlace(SHOP, isOwn = true, calls = Frame("java.lang.Thread", "sleep"))
    private val query = CodePlace(SHOP, isOwn = true, calls = Frame("org.postgresql.jdbc.PgStatement", "execute"))

    @Test
    fun `why no cause is known, and what to do`() {
        fun words(reason: NoProfileReason, detail: String? = null) = NoProfile(reason, detail).words
        NoProfileReason.entries.forEach { words(it, "x") shouldStartWith "no cause is known: " }
        words(NoProfileReason.TOO_OLD, "11") shouldContain "runs on Java 11"
        words(NoProfileReason.REFUSED, "no door") shouldContain "(no door). It must run as the same user"
    }

    @Test
    fun `what was not observed has a remedy where there is one, and what makes places hard to read is said`() {
        fun note(gap: ProfileGap? = null, vararg places: PlaceTrouble) = Because(
            trial = 1, holder = Holder.Unknown(emptyList()), split = emptyList(), meanMicros = 1.0, inFlight = 1.0,
            gaps = listOfNotNull(gap), places = places.toList(),
        ).note()
        val noRecorder = "javax.management.InstanceNotFoundException: jdk.management.jfr:type=FlightRecorder"
        note(ProfileGap(ProfilePart.EVENTS, noRecorder)) shouldContain "modules jdk.jfr and jdk.management.jfr"
        note(ProfileGap(ProfilePart.DUMPS, "/proc/71/ns/mnt")) shouldContain "as in a container"
        note(ProfileGap(ProfilePart.DUMPS, "late: 3412 ms")) shouldContain "made in time; one took 3,412 ms"
        note(ProfileGap(ProfilePart.DUMPS, "it hangs")) shouldContain "what threads do (it hangs)"
        note(null, PlaceTrouble.NO_LINES) shouldContain "javac -g:none"
        note(null, PlaceTrouble.SHORT_NAMES) shouldContain "one or two letters"
    }

    @Test
    fun `a processor, with its hottest method`() {
        words(Holder.Processor(0.99, 2, HotPlace(CodePlace(SHOP, isOwn = true), 0.12))) shouldBe
            "because the processor is busy 99 %, most of all in Shop.order at Shop.kt:44 (12 %)"
        words(Holder.Processor(0.9, 2, null)) shouldBe "because the processor is busy 90 %"
        words(Holder.Processor(0.99, 2, HotPlace(query, 0.7))) shouldBe
            "because the processor is busy 99 %, most of all in PgStatement.execute, called at Shop.kt:44 " +
            "(70 %)"
        words(Holder.Processor(0.6, 2, null, waiting = 3.5)) shouldBe
            "because the processor is busy 60 %, other programs use the rest, and 3.50 threads wait on average " +
            "for a core"
    }

    @Test
    fun `event loops that are blocked, and others that are busy`() {
        val blocking = GroupWait(TimeKind.SLEEP, sleep, null, 0.97)
        words(Holder.EventLoop("loop-#", 1, 0.98, 0.97, blocking)) shouldBe
            "because its one event loop is blocked 97 % of the time in Thread.sleep at Shop.kt:44"
        words(Holder.EventLoop("loop-#", 4, 0.98, 0.97, blocking.copy(share = 0.6))) shouldBe
            "because its 4 event loops are blocked 97 % of the time, for 60 % in Thread.sleep at Shop.kt:44"
        words(Holder.EventLoop("loop-#", 1, 0.96, 0.0, null, HotPlace(CodePlace(SHOP, isOwn = true), 0.4))) shouldBe
            "because its one event loop is busy 96 %, most of all in Shop.order at Shop.kt:44 (40 %)"
    }

    @Test
    fun `threads that are all busy`() {
        val doing = GroupWait(TimeKind.DATABASE, query, "PostgreSQL", 0.98)
        words(Holder.RequestThreads("http-nio-#-exec-#", ThreadRole.REQUEST, 200, 0.99, doing)) shouldBe
            "because its 200 request threads are all busy, each 98 % of its time in a socket read (PostgreSQL) at " +
            "Shop.kt:44"
        words(Holder.RequestThreads("mail-#", ThreadRole.BLOCKING_POOL, 1, 0.99, null)) shouldBe
            "because its one thread of mail-# is busy"
    }

    @Test
    fun `what is scarce`() {
        words(Holder.Lock("shop.Stock", CodePlace(SHOP, isOwn = true), 48.0, 0.96)) shouldBe
            "because requests wait for the lock Stock at Shop.kt:44, 96 % of the latency; 48 threads wait on average"
        val logging = CodePlace(SHOP, isOwn = true, calls = Frame("ch.qos.logback.classic.Logger", "info"))
        words(Holder.Lock("java.util.concurrent.locks.ReentrantLock\$NonfairSync", logging, 9.5, 0.8)) shouldBe
            "because requests wait for the lock ReentrantLock in Logger.info at Shop.kt:44, 80 % of the latency; " +
            "9.50 threads wait on average"
        words(Holder.ConnectionPool("HikariPool-1", 10, 188.4, query, 0.95)) shouldBe
            "because requests wait for a free connection of HikariPool-1, which has 10, at Shop.kt:44, " +
            "95 % of the latency; 188 threads wait on average"
        words(Holder.ConnectionPool("Reactor Netty", null, null, null, null)) shouldBe
            "because requests wait for a free connection of Reactor Netty"
        words(Holder.ConnectionPool("Ktor", 100, null, null, 0.75)) shouldBe
            "because requests wait for a free connection of Ktor, which has 100, 75 % of the latency"
        words(Holder.Threads("pool-#-thread-#", 24_000, 1.02, sleep)) shouldBe
            "because each request makes a new thread of pool-#-thread-# at Shop.kt:44 and never ends it; there are " +
            "24,000 by now"
        words(Holder.CarriersPinned(2, 0.975, "Native frame", query)) shouldBe
            "because virtual threads pin their 2 carriers for 98 % of the time at Shop.kt:44 (Native frame)"
        val called = query.copy(calledFrom = Frame("shop.Orders", "place", 7, "Orders.kt"))
        words(Holder.CarriersPinned(1, 0.92, null, called)) shouldBe
            "because virtual threads pin their only carrier for 92 % of the time at Shop.kt:44, called from Orders.kt:7"
        words(Holder.Collector(0.3, 0.5)) shouldBe
            "because garbage collection stops all its threads for 30 % of the time and takes 50 % of its CPU time"
        words(Holder.Backend(TimeKind.BACKEND, "backend:8080", query, 0.9)) shouldBe
            "because the backend backend:8080 takes 90 % of the latency at Shop.kt:44, and nothing of its own is at " +
            "its limit"
    }

    @Test
    fun `the load, closed and open`() {
        val parts = listOf(part(TimeKind.SLEEP, 0.9, sleep), part(TimeKind.CPU, 0.05))
        words(Holder.Load(10, null, parts, 0.2)) shouldBe
            "because nothing of it is at its limit (processor 20 %): its 10 users wait for the sleep at Shop.kt:44 " +
            "(90 %)"
        words(Holder.Load(1, 1e6, parts, null)) shouldBe
            "because nothing of it is at its limit: its only user thinks for 1,000 ms and waits for the sleep at " +
            "Shop.kt:44 (90 %)"
        words(Holder.Load(null, null, parts, null)) shouldContain "it serves all requests that arrive"
    }

    @Test
    fun `calls that a request repeats are counted`() {
        fun words(times: Double) =
            PartShare(TimePart(TimeKind.BACKEND, 950.0, query, timesPerRequest = times), 0.95).words()
        words(3.0) shouldBe "a backend at Shop.kt:44 (95 %, 3 times per request)"
        words(1.02) shouldBe "a backend at Shop.kt:44 (95 %)"
    }

    @Test
    fun `a place without a file is named by its method`() {
        CodePlace(SHOP.copy(file = null), isOwn = true).words() shouldBe "Shop.order:44"
        CodePlace(SHOP.copy(line = null), isOwn = true).words() shouldBe "Shop.order"
    }

    @Test
    fun `without a cause it says so and what was seen`() {
        words(Holder.Unknown(listOf(part(TimeKind.UNACCOUNTED, 0.6), part(TimeKind.FILE, 0.3)))) shouldBe
            "no cause was found; most of the latency is the wait for what is not accounted for (60 %) and a file (30 %)"
    }

    @Test
    fun `every kind of part has words without a code name`() = TimeKind.entries.forEach { kind ->
        val part = TimePart(kind, 1.0)
        listOf(part.words(), kind.label, GroupWait(kind, null, null, 0.5).words()).forEach {
            it shouldNotContain "_"
            it shouldNotContain "null"
        }
    }

    @Test
    fun `the note says that profiling came after the measurement, what it cost and what is missing`() {
        val because = because(Holder.Processor(0.9, 2, null))
        because.note() shouldContain "after all measurements of trial 2"
        because.note() shouldContain "That cost 3.0 % of the throughput."
        because.copy(costShare = -0.01).note() shouldContain "no throughput that could be measured"
        because.copy(costShare = null).note() shouldContain "unknown"
        because.copy(gaps = listOf(ProfileGap(ProfilePart.EVENTS, "no JFR"))).note() shouldContain "events (no JFR)"
        because.copy(overlap = 4.0).note() shouldContain "4 times as long"
    }

    @Test
    fun `of many stacks the first and the last are explained`() {
        val judged = exampleJudgement(exampleRecord()).situations.first()
        judged.becauseLines().shouldBeEmpty()
        val because = because(Holder.Processor(0.9, 2, null))
        val explained = judged.copy(cells = judged.cells.map { it.copy(because = because) })
        explained.becauseLines().map { it.stack }.first() shouldBe "spring-webflux"
        explained.becauseLines(2).map { it.stack } shouldContainExactly listOf("spring-webflux", "spring-mvc")
    }

    private fun words(holder: Holder) = because(holder).words

    private fun because(holder: Holder) = Because(2, holder, emptyList(), 12_000.0, 24.0, costShare = 0.03)

    private fun part(kind: TimeKind, share: Double, place: CodePlace? = null) =
        PartShare(TimePart(kind, share * 1e3, place), share)

    private companion object {
        val SHOP = Frame("shop.Shop\$Companion", "order", 44, "Shop.kt")
    }
}
