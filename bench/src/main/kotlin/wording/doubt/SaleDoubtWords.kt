package threadgauge.wording.doubt

import threadgauge.model.doubt.SaleDoubt
import threadgauge.wording.whole

internal fun SaleDoubt.saleWords(): DoubtWords = when (this) {
    is SaleDoubt.PromiseBroken -> DoubtWords(
        listOfNotNull(
            "${whole(oversold)} seats were sold that are not there${atEvents()}".takeIf { oversold > 0 },
            "${whole(lost)} reservations were promised and are not in the books".takeIf { lost > 0 },
            "${whole(duplicated)} reservations were made twice for one wish".takeIf { duplicated > 0 },
        ).joinToString("; "),
        "Do not use it. Look at the books in the table; the others in this run did the same work under the same load.",
        "A seat that is sold twice, or a reservation that was promised and is gone, is what a sale must never do; " +
            "the speed of one that " +
            "does it is the speed of something else. The books are read by a program of its own after each load.",
    )
}

private fun SaleDoubt.PromiseBroken.atEvents(): String =
    if (oversoldEvents == null) "" else ", at $oversoldEvents of ${whole(events.toLong())} events"
