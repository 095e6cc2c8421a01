package threadgauge.judge.regression

import threadgauge.judge.claim.measured
import threadgauge.model.Situation
import threadgauge.model.Stack
import threadgauge.model.words

/** Both sides of a comparison, and what on them belongs together. */
internal class RecordSides(val base: RecordSide, val new: RecordSide) {
    /** Why something is not compared, in words. */
    val mismatches: List<String>

    val pairs: List<CellPair>

    init {
        val found = ArrayList<String>()
        val stacks = stackPairs(found)
        val situations = situationPairs(found)
        pairs = situations.flatMap { (mine, other) -> stacks.map { CellPair(it.first, it.second, mine, other) } }
            .filter { pair ->
                pair.isMeasured().also { if (!it) found += "${pair.baseStack.name} in ${pair.base.name}: not measured on both sides" }
            }
        mismatches = found
    }

    /** By name; where each side has a single stack these two, whatever their names: a build may change its name. */
    private fun stackPairs(found: MutableList<String>): List<Pair<Stack, Stack>> {
        if (base.stacks.size == 1 && new.stacks.size == 1) return listOf(base.stacks.single() to new.stacks.single())
        new.stacks.filter { stack -> base.stacks.none { it.name == stack.name } }.forEach { found += "${it.name}: not in the base" }
        return base.stacks.mapNotNull { stack ->
            val other = new.stacks.firstOrNull { it.name == stack.name }
            if (other == null) found += "${stack.name}: not in the new record"
            other?.let { stack to it }
        }
    }

    private fun situationPairs(found: MutableList<String>): List<Pair<Situation, Situation>> {
        new.situations.filter { mine -> base.situations.none { it.name == mine.name } }.forEach { found += "${it.name}: not in the base" }
        return base.situations.mapNotNull { mine ->
            val other = new.situations.firstOrNull { it.name == mine.name }
            when {
                other == null -> found += "${mine.name}: not in the new record"
                other.asked != mine.asked ->
                    found += "${mine.name}: asked otherwise, ${mine.load.words()} before, ${other.load.words()} now"
                else -> return@mapNotNull mine to other
            }
            null
        }
    }

    private fun CellPair.isMeasured() =
        this@RecordSides.base.measured(baseStack, base).isNotEmpty() && this@RecordSides.new.measured(newStack, new).isNotEmpty()
}

/** All that makes two situations the same question. */
private val Situation.asked get() = listOf(request, load, connections)
