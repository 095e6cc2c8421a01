package threadgauge.tickets.service.store

/**
 * MySQL 8.0.16 and later, untested: no MySQL can be started by the tests. They run this dialect on MariaDB instead, and
 * assert that no statement uses what MySQL lacks (`MysqlDialectContract`). MariaDB's driver speaks to both.
 */
internal data object Mysql : Dialect by Maria {
    override val scheme = "jdbc:mysql:"
    override val migrations = "classpath:db/mysql"

    override fun driverUrl(jdbc: String) = Maria.scheme + jdbc.removePrefix(scheme)

    /**
     * MySQL has no limit for idle transactions, so it closes connections that are idle that long, with a transaction or
     * without. The pool replaces them.
     */
    override fun initSql(idleTimeoutSeconds: Long) =
        "set session time_zone = '+00:00', innodb_lock_wait_timeout = 2, wait_timeout = $idleTimeoutSeconds, " +
            "sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION,ERROR_FOR_DIVISION_BY_ZERO'"

    /** MySQL 8.4 Reference Manual, 17.14 "InnoDB Startup Options and System Variables"; 19.1.6.4 for `sync_binlog`. */
    override val durable = Maria.durable + mapOf(
        "innodb_flush_log_at_trx_commit" to setOf("1"),
        "innodb_doublewrite" to setOf("ON", "1", "DETECT_AND_RECOVER"),
    )

    override val hasReturning = false

    override val warning = "MySQL is untested here: these statements are tested on MariaDB alone"

    /** MySQL has no sequence of numbers, and limits recursion to a thousand rows. So digits are combined. */
    override fun numbers(max: Int): String {
        val places = generateSequence(1L) { it * BASE }.takeWhile { it <= max }.toList()
        val digits = (0 until BASE).joinToString(" union all ") { "select $it as d" }
        val value = places.indices.joinToString(" + ", postfix = " + 1") { "d$it.d * ${places[it]}" }
        val tables = places.indices.joinToString(" cross join ") { "($digits) d$it" }
        return "select $value as number from $tables where $value <= $max"
    }

    private const val BASE = 10
}
