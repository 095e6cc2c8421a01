package threadgauge.server.articles

/**
 * Conditions of beans of the Spring stacks that have both kinds of drivers. An address may be there and empty: the bench fills in nothing
 * where no database is. With both addresses, Spring Boot prefers R2DBC.
 */
const val HAS_R2DBC = "!'\${spring.r2dbc.url:}'.isEmpty()"
const val HAS_JDBC = "'\${spring.r2dbc.url:}'.isEmpty() && !'\${spring.datasource.url:}'.isEmpty()"
