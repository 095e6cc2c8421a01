package threadgauge.wording.doubt

import threadgauge.model.doubt.SaleDoubt
import threadgauge.wording.counted

internal fun SaleDoubt.saleWords(): DoubtWords = when (this) {
    is SaleDoubt.PromiseBroken -> DoubtWords(
        listOfNotNull(
            "${amount(oversold, "seat")} sold beyond the capacity${atEvents()}".takeIf { oversold > 0 },
            "${amount(lost, "acknowledged reservation")} missing from the ledger".takeIf { lost > 0 },
            "${amount(duplicated, "reservation")} made twice for one idempotency key".takeIf { duplicated > 0 },
        ).joinToString("; "),
        "Do not use it. The table of the ledger shows the details, and how the other stacks did under the same load.",
        "A sale must never sell a seat twice or lose an acknowledged reservation. The throughput of one that does " +
            "cannot be compared. A separate program reads the ledger after each load.",
    )
}

/** "1 seat was", "7 seats were". */
private fun amount(count: Long, one: String) = counted(count, one) + if (count == 1L) " was" else " were"

private fun SaleDoubt.PromiseBroken.atEvents(): String =
    if (oversoldEvents == null) "" else ", at $oversoldEvents of ${counted(events.toLong(), "event")}"
