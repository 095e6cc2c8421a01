package threadgauge.server.articles

/**
 * Conditions of beans for Spring stacks that have both kinds of drivers. An address may be empty: the bench leaves it
 * so where there is no database. With both addresses, Spring Boot prefers R2DBC.
 */
const val HAS_R2DBC = "!'\${spring.r2dbc.url:}'.isEmpty()"
const val HAS_JDBC = "'\${spring.r2dbc.url:}'.isEmpty() && !'\${spring.datasource.url:}'.isEmpty()"
