package threadgauge.judge.doubt

import threadgauge.model.SaleAudit
import threadgauge.wording.whole

/** Doubts about sales: who breaks a promise cannot win. */
internal val saleDoubts = listOf(
    CellRule(
        "promise-broken",
        "A seat that is sold twice, or a reservation that was promised and is gone, is what a sale must never do; the speed of one that " +
            "does it is the speed of something else. The books are read by a program of its own after each load.",
        "Do not use it. Look at the books in the table; the others in this run did the same work under the same load.",
    ) { c ->
        val broken = c.samples.mapNotNull { it.audit }.filterNot { it.isKept }
        if (broken.isEmpty()) null else invalid("${broken.words()} (in ${broken.size} of ${c.samples.size} trials)")
    },
)

private fun List<SaleAudit>.words(): String = listOfNotNull(
    sumOf { it.oversold }.takeIf { it > 0 }?.let { "${whole(it.toDouble())} seats were sold that are not there${atEvents()}" },
    sumOf { it.lost ?: 0 }.takeIf { it > 0 }?.let { "${whole(it.toDouble())} reservations were promised and are not in the books" },
    sumOf { it.duplicated }.takeIf { it > 0 }?.let { "${whole(it.toDouble())} reservations were made twice for one wish" },
).joinToString("; ")

/** How many events of how many were oversold, in all loads together; nothing where each load had one. */
private fun List<SaleAudit>.atEvents(): String {
    val all = flatMap { it.events }
    return if (all.size == size) "" else ", at ${all.count { it.oversold > 0 }} of ${whole(all.size.toDouble())} events"
}
