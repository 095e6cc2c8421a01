package threadgauge.wording

/** "1 probe", "2 probes", "1,200 probes". */
internal fun counted(amount: Long, one: String, many: String = one + "s"): String =
    if (amount == 1L) "1 $one" else "${whole(amount.toDouble())} $many"
