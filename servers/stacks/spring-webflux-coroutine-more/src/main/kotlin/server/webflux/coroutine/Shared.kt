package threadgauge.server.webflux.coroutine

import org.springframework.context.annotation.ComponentScan
import org.springframework.context.annotation.Configuration
import org.springframework.context.annotation.Import
import threadgauge.server.webflux.customers.CustomerCodecs
import threadgauge.server.webflux.customers.CustomerProblems

/**
 * Adds suspending handlers, whose code Spring MVC shares, and what the stack without coroutines does around its
 * handlers, features included.
 */
@Configuration
@ComponentScan("threadgauge.server.spring.coroutine", "threadgauge.server.webflux.features")
@Import(CustomerCodecs::class, CustomerProblems::class)
class Shared
