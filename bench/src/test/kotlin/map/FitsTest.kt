package threadgauge.map

import io.kotest.assertions.withClue
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.doubles.shouldBeLessThan
import io.kotest.matchers.doubles.shouldBeLessThanOrEqual
import io.kotest.matchers.ints.shouldBeLessThan
import io.kotest.matchers.ints.shouldBeLessThanOrEqual
import io.kotest.matchers.shouldBe
import kotlin.math.abs
import kotlin.math.ln
import kotlin.math.pow
import org.junit.jupiter.api.Test
import threadgauge.model.Trial
import threadgauge.model.TrialState
import threadgauge.model.judgement.Estimated
import threadgauge.model.judgement.map.Fit

class FitsTest {
    private val at = Place(column = 17, row = 20) // 100 ms, 1,000 users
    private val clear = Place(column = 0, row = 0)

    @Test
    fun `a stack that a limit holds far below the fastest does not fit, one beside it does`() {
        // 200 ÷ 0.1 s against 1,000 ÷ 0.1 s: a share of 0.2.
        val found = found(mapOf("pool" to POOL, "loop" to LOOP, "dear" to DEAR), listOf(1.0, 1.01, 0.99))
        found.fits shouldBe mapOf("pool" to Fit.NO, "loop" to Fit.YES, "dear" to Fit.NO)
        found.shares.getValue("pool").value shouldBe (0.2 plusOrMinus 0.02)
        found.rounds shouldBe 3
    }

    @Test
    fun `a share that is near the border stays open until more rounds tell it`() {
        val near = LOOP.copy(cpuSeconds = LOOP.cpuSeconds / 0.84)
        val busy = Place(column = 0, row = 27) // 1 ms, 5,000 users: the processor holds both
        fun fitAfter(rounds: Int): Fit {
            val factors = List(rounds) { if (it % 2 == 0) 1.06 else 0.94 }
            return found(mapOf("near" to near, "loop" to LOOP), factors, busy).fits.getValue("near")
        }
        fitAfter(3) shouldBe Fit.OPEN
        found(mapOf("near" to near, "loop" to LOOP), List(3) { 1.0 }, busy).shares.getValue("near")
            .value shouldBe (0.84 plusOrMinus 0.001)
    }

    @Test
    fun `a stack that fails requests does not fit, however fast it is, and one without answers does not either`() {
        val trials = trialsOf(mapOf("loop" to LOOP, "pool" to POOL), listOf(1.0, 1.0, 1.0), clear).map { trial ->
            if (trial.stack != "loop") trial else trial.copy(
                slices = trial.slices.map { it.copy(counts = it.counts.copy(unfinished = it.counts.answered / 20)) },
            )
        }
        placesFound(WAITS, trials).single().fits shouldBe mapOf("loop" to Fit.NO, "pool" to Fit.YES)
        val silent = trialsOf(mapOf("loop" to LOOP, "pool" to POOL), listOf(1.0, 1.0, 1.0), clear).map { trial ->
            val slices = trial.slices.map { it.copy(answeredInWindow = 0) }
            if (trial.stack == "pool") trial.copy(slices = slices) else trial
        }
        placesFound(WAITS, silent).single().fits shouldBe mapOf("loop" to Fit.YES, "pool" to Fit.NO)
    }

    @Test
    fun `a single round tells nothing`() {
        found(mapOf("pool" to POOL, "loop" to LOOP), listOf(1.0)).fits.getValue("pool") shouldBe Fit.OPEN
    }

    @Test
    fun `borders are found where the law has them, on a noisy machine too`() {
        val stacks = mapOf("pool" to POOL, "loop" to LOOP, "dear" to DEAR)
        for (noise in listOf(0.03, 0.10)) withClue("noise $noise") {
            val record = exploredMap(stacks, noise, seed = 4)
            val found = placesFound(WAITS, record.trials)
            found.size shouldBeLessThan WAITS.work.size * WAITS.users.size / 3
            val wrong = found.sumOf { place ->
                val told = stacks.keys.filter { place.fits[it] != Fit.OPEN }
                told.count { (place.fits[it] == Fit.YES) != fits(it, stacks, place.at) }
            }
            // Each fit is told with 97.5 % on its side, and most are far from the border.
            wrong.toDouble() / (found.size * stacks.size) shouldBeLessThan 0.025
            for (bracket in brackets(WAITS, found)) withClue("$bracket") {
                val shares = (bracket.from..bracket.to).map { share(bracket.stack, stacks, Place(bracket.column, it)) }
                // The law's border is within the bracket, or so near to its end that the noise may hide it.
                val nearest = shares.minOf { abs(ln(it / WAITS.enough)) }
                val passes = (shares.first() >= WAITS.enough) != (shares.last() >= WAITS.enough)
                if (!passes) nearest shouldBeLessThanOrEqual 3 * noise
            }
        }
    }

    @Test
    fun `the users of a border hold that of the law, and are narrower than what was open`() {
        val stacks = mapOf("pool" to POOL, "loop" to LOOP, "dear" to DEAR)
        val held = ArrayList<Boolean>()
        val factors = ArrayList<Double>()
        for (seed in 1L..12L) {
            val found = placesFound(WAITS, exploredMap(stacks, 0.05, seed).trials)
            for (bracket in brackets(WAITS, found)) {
                val users = borderUsers(WAITS, bracket, found)
                val wait = WAITS.waitMillis(bracket.column) / 1e3
                fun fitsAt(count: Double) = stacks.getValue(bracket.stack).perSecond(count, wait) >=
                    WAITS.enough * stacks.values.maxOf { it.perSecond(count, wait) }
                held += fitsAt(users.start) == bracket.fitsFrom && fitsAt(users.endInclusive) != bracket.fitsFrom
                factors += users.endInclusive / users.start
            }
        }
        withClue("${held.count { it }} of ${held.size}") { (held.count { it } >= 0.93 * held.size) shouldBe true }
        // A step of the grid is 1.26; all shares of a column together say more than its steps.
        withClue(factors.sorted()) {
            (factors.count { it <= 1.31 } >= 0.9 * factors.size) shouldBe true
            (factors.average() <= 1.25) shouldBe true
        }
    }

    @Test
    fun `a border beyond which a stack fits is told as well, and one of failures is what was told`() {
        // 0.5 of the fastest up to 100 users, and then more by a power of 0.6: 0.85 with 242 users.
        val rows = listOf(0, 4, 8, 10, 12, 13, 15, 18, 24)
        fun place(row: Int, fit: Fit?): PlaceFound {
            val share = (0.5 * (WAITS.users[row] / 100.0).pow(0.6)).coerceIn(0.5, 1.0)
            val told = if (share < 0.8) Fit.NO else if (share > 0.9) Fit.YES else Fit.OPEN
            return PlaceFound(
                Place(3, row), emptyMap(), mapOf("late" to Estimated(share, share * 0.95, share * 1.05)),
                mapOf("late" to (fit ?: told)), mapOf("late" to ShareSpread(4e-4, freedom = 8, blocks = 1)),
            )
        }
        val found = rows.map { place(it, fit = null) }
        val users = borderUsers(WAITS, Bracket("late", column = 3, from = 13, to = 15, fitsFrom = false), found)
        withClue("$users") {
            (242.0 in users) shouldBe true
            (users.endInclusive / users.start) shouldBeLessThan 1.3
        }
        // Where it fails requests it does not fit, although it is fast: the share says nothing of that border.
        val failing = rows.map { place(it, fit = if (it <= 15) Fit.NO else null) }
        val wide = borderUsers(WAITS, Bracket("late", column = 3, from = 15, to = 18, fitsFrom = false), failing)
        wide.start shouldBe (WAITS.users[15].toDouble() plusOrMinus 1e-9)
        wide.endInclusive shouldBe (WAITS.users[18].toDouble() plusOrMinus 1e-9)
    }

    @Test
    fun `two maps of the same stacks do not contradict each other`() {
        val stacks = mapOf("pool" to POOL, "loop" to LOOP, "dear" to DEAR)
        var compared = 0
        var contradicting = 0
        repeat(10) { pair ->
            val (one, other) = listOf(2L * pair, 2L * pair + 1).map { seed ->
                placesFound(WAITS, exploredMap(stacks, 0.08, seed).trials).associateBy { it.at }
            }
            for (place in one.keys.intersect(other.keys)) for (stack in stacks.keys) {
                val fits = setOf(one.getValue(place).fits[stack], other.getValue(place).fits[stack])
                compared++
                if (fits == setOf(Fit.YES, Fit.NO)) contradicting++
            }
        }
        contradicting shouldBeLessThanOrEqual compared / 200
    }

    private fun share(stack: String, stacks: Map<String, StackNumbers>, at: Place): Double {
        val users = WAITS.users[at.row].toDouble()
        val wait = WAITS.waitMillis(at.column) / 1e3
        return stacks.getValue(stack).perSecond(users, wait) / stacks.values.maxOf { it.perSecond(users, wait) }
    }

    private fun fits(stack: String, stacks: Map<String, StackNumbers>, at: Place) =
        share(stack, stacks, at) >= WAITS.enough

    private fun found(stacks: Map<String, StackNumbers>, factors: List<Double>, place: Place = at) =
        placesFound(WAITS, trialsOf(stacks, factors, place)).single()

    /** The fastest is steady, so that [factors] of the others are what varies. */
    private fun trialsOf(stacks: Map<String, StackNumbers>, factors: List<Double>, place: Place) =
        stacks.map { (stack, numbers) ->
            val slices = factors.mapIndexed { index, factor ->
                sliceOf(WAITS, place, numbers, if (stack == "loop") 1.0 else factor, index + 1)
            }
            Trial(stack, 1, TrialState.MEASURED, command = emptyList(), log = "", slices = slices)
        }
}
