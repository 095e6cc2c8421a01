package threadgauge.server.webflux.coroutine

import org.springframework.context.annotation.ComponentScan
import org.springframework.context.annotation.Configuration

/** What both Spring stacks with coroutines serve: a handler that suspends is the same code on either. */
@Configuration
@ComponentScan("threadgauge.server.spring.coroutine")
class Shared
