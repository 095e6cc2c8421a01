package threadgauge.judge.regression

import threadgauge.model.Situation
import threadgauge.model.Stack
import threadgauge.model.judgement.compare.AskedPart
import threadgauge.model.judgement.compare.ComparedPart
import threadgauge.model.judgement.compare.ComparisonSide
import threadgauge.model.judgement.compare.Mismatch

/** Both sides of a comparison, and their matching cells. */
internal class RecordSides(val base: RecordSide, val new: RecordSide) {
    /** What is not compared, and why. */
    val mismatches: List<Mismatch>

    val pairs: List<CellPair>

    init {
        val found = ArrayList<Mismatch>()
        val stacks = stackPairs(found)
        val situations = situationPairs(found)
        pairs = situations.flatMap { (mine, other) -> stacks.map { CellPair(it.first, it.second, mine, other) } }
            .filter { pair ->
                val lacking = pair.lacking()
                if (lacking.isNotEmpty()) found += Mismatch.NotMeasured(pair.baseStack.name, pair.base.name, lacking)
                lacking.isEmpty()
            }
        mismatches = found
    }

    /** Matched by name. If each side has a single stack, these two are matched, because a build may change its name. */
    private fun stackPairs(found: MutableList<Mismatch>): List<Pair<Stack, Stack>> {
        if (base.stacks.size == 1 && new.stacks.size == 1) return listOf(base.stacks.single() to new.stacks.single())
        new.stacks.filter { stack -> base.stacks.none { it.name == stack.name } }
            .forEach { found += Mismatch.Missing(ComparedPart.STACK, it.name, ComparisonSide.BASE) }
        return base.stacks.mapNotNull { stack ->
            val other = new.stacks.firstOrNull { it.name == stack.name }
            if (other == null) found += Mismatch.Missing(ComparedPart.STACK, stack.name, ComparisonSide.NEW)
            other?.let { stack to it }
        }
    }

    private fun situationPairs(found: MutableList<Mismatch>): List<Pair<Situation, Situation>> {
        new.situations.filter { mine -> base.situations.none { it.name == mine.name } }
            .forEach { found += Mismatch.Missing(ComparedPart.SITUATION, it.name, ComparisonSide.BASE) }
        return base.situations.mapNotNull { mine ->
            val other = new.situations.firstOrNull { it.name == mine.name }
            val differences = other?.let { differences(mine, it) }.orEmpty()
            when {
                other == null -> found += Mismatch.Missing(ComparedPart.SITUATION, mine.name, ComparisonSide.NEW)
                differences.isNotEmpty() ->
                    found += Mismatch.AskedOtherwise(mine.name, differences, mine.load, other.load)
                else -> return@mapNotNull mine to other
            }
            null
        }
    }

    /** Sides on which the cell has no figure. */
    private fun CellPair.lacking() = listOfNotNull(
        ComparisonSide.BASE.takeIf { this@RecordSides.base.measured(baseStack, base).isEmpty() },
        ComparisonSide.NEW.takeIf { this@RecordSides.new.measured(newStack, new).isEmpty() },
    )
}

/** How [base] and [new] ask for different things; empty where they do not. */
private fun differences(base: Situation, new: Situation): List<AskedPart> = AskedPart.entries.filter { part ->
    when (part) {
        AskedPart.REQUEST -> base.request != new.request || base.scenarios != new.scenarios
        AskedPart.LOAD -> base.load != new.load
        AskedPart.CONNECTIONS -> base.connections != new.connections
    }
}
