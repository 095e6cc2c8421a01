package threadgauge.judge.doubt

import threadgauge.model.SaleAudit
import threadgauge.model.doubt.DoubtId
import threadgauge.model.doubt.SaleDoubt
import threadgauge.model.doubt.TrialShare
import threadgauge.model.judgement.Validity

/** Doubts about sales: a stack that breaks a promise cannot win. */
internal val saleDoubts = listOf(
    CellRule(DoubtId.PROMISE_BROKEN) { c ->
        val broken = c.samples.mapNotNull { it.audit }.filterNot { it.isKept }
        if (broken.isEmpty()) return@CellRule null
        DoubtResult(Validity.INVALID, broken.together(), TrialShare(broken.size, c.samples.size))
    },
)

/** Over all loads. With several events per load, the oversold events are counted. */
private fun List<SaleAudit>.together(): SaleDoubt.PromiseBroken {
    val events = flatMap { it.events }
    return SaleDoubt.PromiseBroken(
        oversold = sumOf { it.oversold },
        lost = sumOf { it.lost ?: 0 },
        duplicated = sumOf { it.duplicated },
        oversoldEvents = if (events.size == size) null else events.count { it.oversold > 0 },
        events = events.size,
    )
}
