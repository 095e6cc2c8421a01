package threadgauge.server.webflux.coroutine

import org.springframework.context.annotation.ComponentScan
import org.springframework.context.annotation.Configuration
import org.springframework.context.annotation.Import
import threadgauge.server.webflux.customers.CustomerCodecs
import threadgauge.server.webflux.customers.CustomerProblems

/**
 * What is not only here: handlers that suspend, which are the same code on Spring MVC, and what the stack without coroutines does around
 * its handlers, features included.
 */
@Configuration
@ComponentScan("threadgauge.server.spring.coroutine", "threadgauge.server.webflux.features")
@Import(CustomerCodecs::class, CustomerProblems::class)
class Shared
