package threadgauge.server.helidon.more

import threadgauge.server.helidon.serve

/** The plain edition with more routes. */
fun main(arguments: Array<String>) = serve(arguments) { config ->
    backends(config.get("upstream").asString().orElse(""))
    articles(config.get("articles"))
    customers()
}
