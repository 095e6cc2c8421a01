package threadgauge.server.springmvc.coroutine

import org.springframework.context.annotation.ComponentScan
import org.springframework.context.annotation.Configuration
import org.springframework.context.annotation.Import
import threadgauge.server.springmvc.customers.BodyLimit
import threadgauge.server.springmvc.customers.CustomerProblems

/**
 * Adds suspending handlers, whose code Spring WebFlux shares, and what the stack without coroutines does around its
 * handlers, features included.
 */
@Configuration
@ComponentScan("threadgauge.server.spring.coroutine", "threadgauge.server.springmvc.features")
@Import(BodyLimit::class, CustomerProblems::class)
class Shared
