package threadgauge.experiment

/** The file [base] with [new] in place of [old], which stands there once. */
internal class ChangedExperiment(private val base: String, private val old: String, private val new: String) {
    val text: String
        get() {
            check(base.split(old).size == 2) { "not once in the file: $old" }
            return base.replace(old, new)
        }

    override fun toString() = "$old -> $new".replace("\n", "⏎").take(MAX_SHOWN)
}

/** Characters of a change that a failed test shows. */
private const val MAX_SHOWN = 150

/** A file in the long form with nearly every key. */
internal val WHOLE = """
    name: checkout
    question: Which one fits?
    source: {title: A post, author: Somebody, date: 2024, conditions: On a laptop}
    stacks: [spring-mvc, ktor-netty, spring-webflux]
    database: postgresql
    situations:
      - name: hello
        words: are answered at once
        request: GET /hello
        load: {users: 50, for: 5s, think: 1s..3s, ramp-in: 2s}
        connections: {protocol: http/2, streams: 10, tls: {insecure: yes}}
      - name: seats
        words: hold seats
        request:
          send: POST /seats/{1..10000}/hold?at={seq}
          headers: {Content-Type: application/json, X-Trace: "{random:16}"}
          body: '{"row": "{csv:row}"}'
          csv: seats.csv
          gzip: yes
          expect: {status: [200, 409], contains: granted, json: {seat.state: granted}}
          count: outcome
        load: {steps: [{rate: 100/s, for: 10s}, {burst: 1000}]}
        connections:
          max-under-way: 500
          delay: 20ms
          connect: paced
          from: [127.0.0.1, 127.0.0.2]
          max-header-bytes: 20000
          repeat-unprocessed: no
      - name: sold
        words: reserve a seat
        request:
          send: POST /events/{event}/reservations
          headers: {Idempotency-Key: "{event}-{random:24}"}
          body: '{"quantity": 1}'
        load: {burst: 2000, connected: no}
        sale: {seats: 500, events: 20, hot: 50%}
        goals: p90<500ms, throughput>200/s
    trials: 3
    margin: 3%
    baselines: spring-mvc
    warm-up: {budget: 30s, load: 1s, pause: 2s, compiler: all cores, situations: [hello]}
    rest: 20s
    causes: no
    agents: {hosts: [load1, load2:7401], token: secrets/agents, target: 192.0.2.10, lost: go on}
    published: throughput of spring-mvc in hello = 192.6/s
    claims:
      - p99 of ktor-netty < 50ms in hello
      - name: twice
        says: WebFlux serves twice as much.
        as-published: throughput of spring-webflux >= 2 x spring-mvc in hello
        corrected: [cpu of ktor-netty <= spring-mvc / 2 in hello and seats, boot of ktor-netty < 2s]
        why: The post did not warm up.
""".trimIndent()

/** A file in the short form. */
internal val SHORT = """
    name: waiting
    question: How long may a request wait?
    stacks: ktor-netty
    request: [GET /delay/10, {send: HEAD /hello}]
    load:
      - {users: 50, loops: 10}
      - {ramp: 5/s..500/s, for: 60s}
      - {poisson: 2000/s, for: 30s, seed: 7}
    connections: {max-under-way: 100}
    goals: p99<300ms, errors<0.1%
""".trimIndent()

/** A file with stacks and services of one's own. */
internal val OWN = """
    name: checkout
    question: Do virtual threads help our checkout?
    stacks:
      - {name: shop, command: "{java} -jar shop.jar", ready: GET /actuator/health}
      - name: shop-jar
        title: The shop
        model: virtual-threads
        jar: shop.jar
        java: [-Xmx512m]
        arguments: ["--port={port}"]
        env: {SPRING_THREADS_VIRTUAL_ENABLED: true, POOL: 10}
        folder: .
        port: 8080
        start-within: 1m
      - {name: shop-in-a-box, container: "shop:1.4", arguments: [--debug], options: [--memory=512m]}
      - {name: shop-there, url: "http://localhost:8081"}
      - ktor-netty
    services:
      - name: db
        command: "{java} -jar db.jar --port={port}"
        folder: .
        env: {PGDATA: "{folder}"}
        ready: tcp {port}
        passes: {SPRING_DATASOURCE_URL: "jdbc:postgresql://127.0.0.1:{port}/shop"}
      - {name: cache, container: "redis:8", port: 6379, options: [--memory=64m], passes: {REDIS: "{host}:{port}"}}
      - name: payments
        upstream: {delay: 80ms..120ms, errors: 1%, body: '{"paid": true}', type: application/json}
        passes: {PAYMENTS_URL: "http://127.0.0.1:{port}"}
    request: GET /orders?page={1..20}
    load: {users: 50, for: 10s}
""".trimIndent()

/** A file whose users follow scenarios. */
internal val PLAYED = """
    name: shop
    question: Do virtual threads help our checkout?
    stacks: ktor-netty
    scenarios:
      browse:
        weight: 70%
        steps:
          - GET /products?page={1..20}
          - {think: 1s..3s}
          - {repeat: 3, steps: [{send: "GET /products/{1..9}", name: look}, {think: 500ms}]}
      buy:
        weight: 30%
        steps:
          - {send: POST /carts, expect: {status: 201}, keep: {cart: "json:id", token: "header:X-Token"}}
          - {send: "POST /carts/{cart}/items", headers: {X-Token: "{token}"}, body: '{"item": {1..500}}'}
          - {send: "POST /carts/{cart}/pay", goes-on: yes, keep: {a: "cookie:s", b: "pattern:x=([0-9]+)"}}
          - "GET /carts/{cart}"
    load: {users: 50, for: 10s}
    connections: {cookies: yes}
    goals: "p99<1s, buy.GET /carts/{cart} p95<500ms, buy errors<1%"
""".trimIndent()

/** Problems that the reader finds in [text] beside the files that are named in these; empty where it accepts it. */
internal fun problemsOfReader(text: String): List<String> =
    mistakesBeside(text, "seats.csv" to "row\nA\nB\n", "shop.jar" to "", "db.jar" to "")

private fun String.changed(vararg changes: Pair<String, String>) =
    changes.map { (old, new) -> ChangedExperiment(this, old, new) }

/** Files with one mistake each, which both the reader and the schema must reject. */
internal val BROKEN: List<ChangedExperiment> = WHOLE.changed(
    "name: checkout" to "name: Checkout",
    "name: checkout" to "name: check_out",
    "name: checkout" to "name: check--out",
    "name: checkout" to "name: ${"a".repeat(61)}",
    "name: checkout" to "name:",
    "name: checkout" to "name: [checkout]",
    "name: checkout\n" to "",
    "question: Which one fits?\n" to "",
    "Which one fits?" to "Which one fits.",
    "Which one fits?" to "W${"h".repeat(199)}?",
    "Which one fits?" to "[Which one fits?]",
    "Which one fits?" to "\"Which\\none fits?\"",
    "source: {title: A post, author" to "source: {author",
    "source: {title: A post" to "source: {titel: A post",
    "title: A post" to "title: ''",
    "title: A post" to "title: ${"a".repeat(201)}",
    "On a laptop" to "{cores: 2}",
    "stacks: [spring-mvc, ktor-netty, spring-webflux]\n" to "",
    "[spring-mvc, ktor-netty, spring-webflux]" to "[]",
    "[spring-mvc, ktor-netty, spring-webflux]" to "",
    "[spring-mvc, ktor-netty, spring-webflux]" to "[spring-mvc, ktor-nety, spring-webflux]",
    "[spring-mvc, ktor-netty, spring-webflux]" to "[spring-mvc, ktor-netty, spring-webflux, ktor-netty]",
    "database: postgresql" to "database: oracle",
    "database: postgresql" to "database: {address: \"jdbc:postgresql://db:5432/shop\"}",
    "database: postgresql" to "database: {address: \"jdbc:mysql://db/shop\", user: me}",
    "database: postgresql" to "database: {address: \"jdbc:postgresql://db/shop?password=x\", user: me}",
    "database: postgresql" to "database: {address: \"jdbc:postgresql://db/shop\", user: me, password: x}",
    "situations:\n" to "situatoins:\n",
    "situations:\n" to "request: GET /hello\nsituations:\n",
    "situations:\n" to "connections: {delay: 1ms}\nsituations:\n",
    "name: hello" to "name: Hello",
    "  - name: hello\n    words" to "  - words",
    "    words: are answered at once\n" to "",
    "    request: GET /hello\n" to "",
    "    load: {users: 50, for: 5s, think: 1s..3s, ramp-in: 2s}\n" to "",
    "are answered at once" to "a".repeat(101),
    "are answered at once" to "are answered at once\n    title: At once",
    "GET /hello" to "/hello",
    "GET /hello" to "get /hello",
    "GET /hello" to "FETCH /hello",
    "GET /hello" to "GET",
    "GET /hello" to "GET hello",
    "GET /hello" to "GET  /hello",
    "GET /hello" to "GET http://localhost:8080/hello",
    "GET /hello" to "GET /hello world",
    "GET /hello" to "GET /hello/{id}",
    "GET /hello" to "GET /hello/%zz",
    "GET /hello" to "GET /größe",
    "GET /hello" to "GET /hello/{csv:row}",
    "GET /hello" to "[GET /hello]",
    "GET /hello" to "GET /${"a".repeat(4003)}",
    "send: POST /seats/{1..10000}/hold?at={seq}" to "url: POST /seats",
    "POST /seats/{1..10000}/hold?at={seq}" to "GET /seats",
    "{1..10000}" to "{1..}",
    "{1..10000}" to "{-1..5}",
    "at={seq}" to "at={Seq}",
    "at={seq}" to "at={random:0}",
    "at={seq}" to "at={random:1001}",
    "{Content-Type: application/json, X-Trace: \"{random:16}\"}" to "application/json",
    "Content-Type: application" to "Content Type: application",
    "Content-Type: application/json" to "content-length: 5",
    "Content-Type: application/json" to "Connection: close",
    "Content-Type: application/json" to "Accept-encoding: br",
    "Content-Type: application/json" to "Expect: soon",
    "Content-Type: application/json" to "Content-Type: größe",
    "Content-Type: application/json" to "Content-Type: null",
    "\"{random:16}\"" to "\"{random:x}\"",
    "'{\"row\": \"{csv:row}\"}'" to "'{\"row\": \"{csv:row}{ SEQ }\"}'",
    "'{\"row\": \"{csv:row}\"}'" to "{row: 1}",
    "      csv: seats.csv\n" to "",
    "gzip: yes" to "gzip: perhaps",
    "[200, 409]" to "[200, 199]",
    "[200, 409]" to "600",
    "[200, 409]" to "[200, 200]",
    "[200, 409]" to "created",
    "contains: granted" to "contents: granted",
    "contains: granted" to "contains: ''",
    "{seat.state: granted}" to "granted",
    "{seat.state: granted}" to "{seat..state: granted}",
    "{seat.state: granted}" to "{seat: {state: granted}}",
    "count: outcome" to "count: outcome.",
    "count: outcome" to "counts: outcome",
    "{users: 50, for: 5s, think: 1s..3s, ramp-in: 2s}" to "{}",
    "{users: 50, for: 5s, think: 1s..3s, ramp-in: 2s}" to "50 users",
    "users: 50" to "users: 0",
    "users: 50" to "users: 100001",
    "users: 50" to "users: many",
    "users: 50" to "users: 50, rate: 5/s",
    "users: 50, for: 5s" to "users: 50",
    "users: 50, for: 5s" to "users: 50, for: 5s, loops: 3",
    "users: 50, for: 5s" to "users: 50, for: 5",
    "users: 50, for: 5s" to "users: 50, for: 5 minutes",
    "users: 50, for: 5s" to "users: 50, for: 0s",
    "users: 50, for: 5s" to "users: 50, for: -5s",
    "users: 50, for: 5s" to "users: 50, for: '5,000ms'",
    "users: 50, for: 5s" to "users: 50, during: 5s",
    "think: 1s..3s" to "think: 0s",
    "think: 1s..3s" to "think: 1s..2s..3s",
    "think: 1s..3s" to "think: 1..3",
    "ramp-in: 2s" to "ramp-in: 2",
    "ramp-in: 2s" to "seed: 2",
    "rate: 100/s" to "rate: 100",
    "rate: 100/s" to "rate: 100rps",
    "rate: 100/s" to "rate: 100/d",
    "rate: 100/s" to "rate: 0/s",
    "[{rate: 100/s, for: 10s}, {burst: 1000}]" to "[]",
    "[{rate: 100/s, for: 10s}, {burst: 1000}]" to "[{burst: 1000}]",
    "[{rate: 100/s, for: 10s}, {burst: 1000}]" to "{burst: 1000}",
    "{burst: 1000}" to "{users: 5, for: 5s}",
    "{burst: 1000}" to "{burst: 1000, connected: no}",
    "{burst: 1000}" to "{steps: [{rate: 1/s, for: 1s}]}",
    "burst: 2000" to "burst: 0",
    "connected: no" to "connected: never",
    "protocol: http/2" to "protocol: http/3",
    "protocol: http/2, " to "",
    "streams: 10" to "streams: 0",
    "streams: 10" to "streams: 1001",
    "streams: 10" to "reuse: no",
    "streams: 10" to "max-under-way: 10",
    "{insecure: yes}" to "perhaps",
    "{insecure: yes}" to "{insecure: perhaps}",
    "{insecure: yes}" to "{insecure: yes, authorities: ca.pem}",
    "{insecure: yes}" to "{trust: all}",
    "max-under-way: 500" to "max-under-way: 0",
    "max-under-way: 500" to "max-under-way: 500\n      most-under-way: 500",
    "delay: 20ms" to "delay: 0ms",
    "delay: 20ms" to "delay: 20",
    "connect: paced" to "connect: slowly",
    "connect: paced" to "connect: paced\n      reuse: no",
    "[127.0.0.1, 127.0.0.2]" to "localhost",
    "[127.0.0.1, 127.0.0.2]" to "[127.0.0.1, 127.0.0.1]",
    "[127.0.0.1, 127.0.0.2]" to "[127.0.0.256]",
    "[127.0.0.1, 127.0.0.2]" to "[]",
    "max-header-bytes: 20000" to "max-header-bytes: 999",
    "repeat-unprocessed: no" to "repeat-unprocessed: once",
    "repeat-unprocessed: no" to "retry: no",
    "/events/{event}/reservations" to "/events/1/reservations",
    "headers: {Idempotency-Key: \"{event}-{random:24}\"}" to "headers: {X-Key: \"{event}-{random:24}\"}",
    "\"{event}-{random:24}\"" to "\"{random:24}\"",
    "seats: 500, " to "",
    "seats: 500" to "seats: -1",
    "seats: 500" to "seats: 10000001",
    "events: 20" to "events: 1001",
    "events: 20" to "events: 1",
    "events: 20, " to "",
    "hot: 50%" to "hot: 101%",
    "hot: 50%" to "hot: 0%",
    "hot: 50%" to "cold: 50%",
    "trials: 3" to "trials: 0",
    "trials: 3" to "trials: 101",
    "trials: 3" to "trials: three",
    "trials: 3" to "trials: 3.5",
    "trials: 3" to "trials: [3]",
    "trials: 3" to "trials: 3\nrepeats: 3",
    "trials: 3" to "trails: 3",
    "trials: 3" to "slo: p99<100ms",
    "margin: 3%" to "margin: 3",
    "margin: 3%" to "margin: 3 percent",
    "margin: 3%" to "margin: 51%",
    "margin: 3%" to "margin: 50.1%",
    "margin: 3%" to "margin: -1%",
    "baselines: spring-mvc" to "baselines: [spring-mvc, spring-mvc]",
    "baselines: spring-mvc" to "baselines: []",
    "baselines: spring-mvc" to "baselines: {stack: spring-mvc}",
    "{budget: 30s, load: 1s, pause: 2s, compiler: all cores, situations: [hello]}" to "short",
    "budget: 30s" to "budget: 30",
    "budget: 30s" to "budget: 30 secs",
    "load: 1s," to "load: 0s,",
    "pause: 2s" to "pauses: 2s",
    "compiler: all cores" to "compiler: 2 cores",
    "situations: [hello]" to "situations: []",
    "rest: 20s" to "rest: 20",
    "rest: 20s" to "rest: 0s",
    "causes: no" to "causes: perhaps",
    "load2:7401" to "load2:0",
    "load2:7401" to "http://load2",
    "hosts: [load1, load2:7401]" to "hosts: []",
    "hosts: [load1, load2:7401], " to "",
    "lost: go on" to "lost: perhaps",
    "token: secrets/agents" to "tokens: secrets/agents",
    "hosts: [load1, load2:7401], token: secrets/agents" to "kubernetes: 0, image: threadgauge",
    "hosts: [load1, load2:7401], token: secrets/agents" to "kubernetes: 3",
    "hosts: [load1, load2:7401], token: secrets/agents" to "kubernetes: 3, image: \"a b\"",
    "hosts: [load1, load2:7401]" to "kubernetes: 3, image: threadgauge",
    "hosts: [load1, load2:7401], token: secrets/agents" to "kubernetes: 3, image: threadgauge, namespace: Load",
    "hosts: [load1, load2:7401], token: secrets/agents" to "kubernetes: 3, image: threadgauge, memory: much",
    "published: throughput of spring-mvc" to "published: speed of spring-mvc",
    "published: throughput of spring-mvc" to "published: throughput spring-mvc",
    "hello = 192.6/s" to "hello",
    "hello = 192.6/s" to "hello >= 192.6/s",
    "p99 of ktor-netty < 50ms in hello" to "p98 of ktor-netty < 50ms in hello",
    "p99 of ktor-netty < 50ms in hello" to "p99 of ktor-netty",
    "p99 of ktor-netty < 50ms in hello" to "p99 of ktor-netty <",
    "p99 of ktor-netty < 50ms in hello" to "ktor-netty is faster",
    "p99 of ktor-netty < 50ms in hello" to "1ms < p99 of ktor-netty < 50ms",
    "  - name: twice\n    says" to "  - says",
    "name: twice" to "name: Twice",
    "    says: WebFlux serves twice as much.\n" to "",
    "says: WebFlux" to "claim: WebFlux",
    "    why:" to "    because:",
    "boot of ktor-netty < 2s]" to "boot of ktor-netty]",
) + SHORT.changed(
    "stacks: ktor-netty" to "stacks: ktor-neti",
    "request: [GET /delay/10, {send: HEAD /hello}]\n" to "",
    "[GET /delay/10, {send: HEAD /hello}]" to "[]",
    "[GET /delay/10, {send: HEAD /hello}]" to "[GET /delay/10, GET /delay/10]",
    "{send: HEAD /hello}" to "{send: HEAD /hello, body: x}",
    "{send: HEAD /hello}" to "{send: HEAD /hello, count: a}",
    "{send: HEAD /hello}" to "{send: HEAD /hello, stream: events}",
    "{send: HEAD /hello}" to "{send: GET /hello, stream: events, gzip: yes}",
    "{send: HEAD /hello}" to "{send: GET /hello, stream: events, count: a}",
    "{send: HEAD /hello}" to "{send: GET /hello, stream: events, expect: {contains: a}}",
    "{send: HEAD /hello}" to "{send: GET /hello, expect: {messages: 10}}",
    "{send: HEAD /hello}" to "{send: GET /hello, stream: events, expect: {messages: 0}}",
    "{send: HEAD /hello}" to "{send: GET /hello, stream: perhaps}",
    "{send: HEAD /hello}" to "{send: POST /hello, stream: websocket}",
    "{send: HEAD /hello}" to "{send: GET /hello, stream: websocket, expect: {status: 200}}",
    "{send: HEAD /hello}" to "{send: HEAD /hello, expect: {contains: a}}",
    "{send: HEAD /hello}" to "{send: POST /hello, headers: {Expect: 100-continue}}",
    "{send: HEAD /hello}" to "{path: /hello}",
    "loops: 10" to "loops: 0",
    "loops: 10" to "loop: 10",
    "5/s..500/s" to "5/s",
    "5/s..500/s" to "5..500/s",
    "5/s..500/s" to "0/s..0/s",
    "5/s..500/s" to "5/s-500/s",
    "{ramp: 5/s..500/s, for: 60s}" to "{ramp: 5/s..500/s}",
    "{ramp: 5/s..500/s, for: 60s}" to "{users: 50, loops: 10}",
    "poisson: 2000/s" to "poisson: '2,000/s'",
    "poisson: 2000/s" to "poison: 2000/s",
    "seed: 7" to "seed: -7",
    "seed: 7" to "seed: 2147483648",
    "connections: {max-under-way: 100}" to "connections: http/2",
    "connections: {max-under-way: 100}" to "sale: {seats: 5}",
    "connections: {max-under-way: 100}" to "warm-up: no",
    "goals: p99<300ms, errors<0.1%" to "goals: {p99: 300ms}",
    "goals: p99<300ms, errors<0.1%" to "goals: p99>300ms",
    "goals: p99<300ms, errors<0.1%" to "goals: p99<300ms,",
    "goals: p99<300ms, errors<0.1%" to "goals: p99<300",
    "goals: p99<300ms, errors<0.1%" to "slo: p99<300ms",
) + OWN.changed(
    "name: shop, " to "",
    "name: shop, " to "name: Shop, ",
    "command: \"{java} -jar shop.jar\"" to "title: The shop",
    "command: \"{java} -jar shop.jar\"" to "commnad: java",
    "{java} -jar shop.jar" to "{java} -jar shop.jar | tee log",
    "{java} -jar shop.jar" to "java -jar 'shop.jar",
    "{java} -jar shop.jar" to "",
    "ready: GET /actuator/health" to "ready: /actuator/health",
    "ready: GET /actuator/health" to "url: http://localhost",
    "ready: GET /actuator/health" to "java: -Xmx1g",
    "model: virtual-threads" to "model: virtual",
    "[-Xmx512m]" to "{max: 512m}",
    "SPRING_THREADS_VIRTUAL_ENABLED" to "spring.threads.virtual.enabled",
    "POOL: 10" to "POOL: [10]",
    "port: 8080" to "port: 0",
    "port: 8080" to "port: 65536",
    "start-within: 1m" to "start-within: 60",
    "container: \"shop:1.4\"" to "container: \"shop 1.4\"",
    "container: \"shop:1.4\"" to "container: \"shop:1.4\", jar: shop.jar",
    "container: \"shop:1.4\"" to "container: \"shop:1.4\", folder: .",
    "container: \"shop:1.4\"" to "url: \"http://localhost:8082\"",
    "[--debug]" to "{debug: true}",
    "[--memory=512m]" to "[--name=mine]",
    "[--memory=512m]" to "[512m]",
    "[--memory=512m]" to "[-dp80:80]",
    "url: \"http://localhost:8081\"" to "url: \"http://localhost:8081\", options: [--memory=1g]",
    "container: \"redis:8\", port: 6379" to "container: \"redis:8\"",
    "container: \"redis:8\", port: 6379" to "container: \"redis:8\", port: 6379, folder: .",
    "container: \"redis:8\"" to "command: \"{java} {port}\"",
    "url: \"http://localhost:8081\"" to "url: \"http://localhost:8081\", port: 8081",
    "http://localhost:8081" to "http://localhost:8081/orders",
    "http://localhost:8081" to "localhost:8081",
    "http://localhost:8081" to "ftp://localhost",
    "  - name: db\n    command" to "  - command",
    "    command: \"{java} -jar db.jar --port={port}\"\n" to "",
    "tcp {port}" to "tcp port",
    "tcp {port}" to "POST /health",
    "passes: {SPRING" to "gives: {SPRING",
    "{PGDATA: \"{folder}\"}" to "[PGDATA]",
) + OWN.changed(
    "delay: 80ms..120ms, " to "",
    "80ms..120ms" to "80",
    "80ms..120ms" to "80ms-120ms",
    "errors: 1%" to "errors: 1",
    "upstream: {delay" to "port: 80\n    upstream: {delay",
    "type: application/json" to "types: application/json",
    "upstream: {delay" to "command: \"a {port}\"\n    upstream: {delay",
    "upstream: {delay" to "ready: tcp {port}\n    upstream: {delay",
) + PLAYED.changed(
    "weight: 70%" to "weight: 0%",
    "weight: 70%" to "weight: 70",
    "- \"GET /carts/{cart}\"" to "- {send: \"GET /carts/{cart}\", stream: events}",
    "- \"GET /carts/{cart}\"" to
        "- {send: \"GET /carts/{cart}\", stream: events, expect: {messages: 2}, keep: {d: \"json:id\"}}",
    "weight: 70%" to "weights: 70%",
    "  buy:" to "  Buy:",
    "name: look" to "name: [look]",
    "repeat: 3" to "repeat: 1",
    "think: 1s..3s" to "think: 1",
    "json:id" to "id",
    "json:id" to "'json:'",
    "{cart: \"json:id\"" to "{seq: \"json:id\"",
    "goes-on: yes" to "goes-on: perhaps",
    "load: {users" to "request: GET /x\nload: {users",
    "GET /products?page" to "GET products?page",
)

/** Mistakes that no schema can see, because they are about other places, other files or amounts with units. */
internal val SEEN_BY_READER_ALONE: List<ChangedExperiment> = WHOLE.changed(
    "[spring-mvc, ktor-netty, spring-webflux]" to "[spring-mvc+no-such-option, ktor-netty]",
    "baselines: spring-mvc" to "baselines: vertx",
    "baselines: spring-mvc" to "baselines: spring-webflux",
    "situations: [hello]" to "situations: [nobody]",
    "budget: 30s" to "budget: 500ms",
    "rest: 20s" to "rest: 11m",
    "delay: 20ms" to "delay: 2s",
    "think: 1s..3s" to "think: 3s..1s",
    "ramp-in: 2s" to "ramp-in: 6s",
    "rate: 100/s, for: 10s" to "rate: 100/s, for: 25h",
    "rate: 100/s" to "rate: 1000001/s",
    "{1..10000}" to "{10..1}",
    "csv: seats.csv" to "csv: no-such-file.csv",
    "{csv:row}" to "{csv:no-such-column}",
    "{csv:row}" to "{seq}",
    "contains: granted" to "contains: granted, body: refused",
    "name: seats" to "name: hello",
    "hot: 50%" to "hot: 1%",
    "trials: 3" to "trials: 3.0",
    "p99 of ktor-netty < 50ms in hello" to "p99 of ktor-netty < 50 in hello",
    "p99 of ktor-netty < 50ms in hello" to "p99 of vertx < 50ms in hello",
    "p99 of ktor-netty < 50ms in hello" to "p99 of ktor-netty < 50ms in no-such-situation",
    "p99 of ktor-netty < 50ms in hello" to "p99 of ktor-netty < ktor-netty in hello",
) + OWN.changed(
    "80ms..120ms" to "120ms..80ms",
    "errors: 1%" to "errors: 101%",
) + PLAYED.changed(
    "    weight: 70%\n" to "",
    "GET /products?page" to "GET /{cart}?page",
    "json:id" to "pattern:(",
    "repeat: 3" to "repeat: 1000",
)

/** Other ways to write things, which both the reader and the schema must accept. */
internal val VALID_TOO: List<ChangedExperiment> = WHOLE.changed(
    "name: checkout" to "name: 12",
    "name: checkout" to "name: ${"a".repeat(60)}",
    "Which one fits?" to "Which one fits – and “why”?",
    "Which one fits?" to ">-\n  Which one\n  fits?",
    "source: {title: A post, author: Somebody, date: 2024, conditions: On a laptop}\n" to "",
    "date: 2024" to "date: 2024-05-01",
    "database: postgresql" to "database: {address: \"jdbc:postgresql://db:5432/shop\", user: me}",
    "GET /hello" to "{send: GET /hello}",
    "GET /hello" to "PATCH /a/{event}?b={random:1000}&c=%20~(x)'*@:;,=!$&+",
    "GET /hello" to "GET /away?to=http://localhost",
    "streams: 10" to "streams: 10, cookies: yes",
    "causes: no" to "causes: yes",
    "agents: {hosts: [load1, load2:7401], token: secrets/agents, target: 192.0.2.10, lost: go on}" to "agents: load1",
    "agents: {hosts: [load1, load2:7401], token: secrets/agents, target: 192.0.2.10, lost: go on}" to
        "agents: [load1, \"[2001:db8::7]:7401\"]",
    "hosts: [load1, load2:7401], token: secrets/agents" to "kubernetes: 3, image: \"example.org/threadgauge:0.2.0\"",
    "hosts: [load1, load2:7401], token: secrets/agents" to
        "kubernetes: 1, image: threadgauge, namespace: load, context: staging, cpu: 2, memory: 1Gi",
    "lost: go on" to "lost: stop",
    "think: 1s..3s" to "think: 0s..1h",
    "think: 1s..3s" to "think: 500ms",
    "ramp-in: 2s" to "ramp-in: 0s",
    "users: 50, for: 5s" to "users: \"50\", for: 2.5 s",
    "users: 50, for: 5s" to "users: 100000, for: 24h",
    "{insecure: yes}" to "yes",
    "{insecure: yes}" to "NO",
    "{insecure: yes}" to "{}",
    "{insecure: yes}" to "{insecure: off}",
    "protocol: http/2, streams: 10" to "protocol: http/1.1, streams: 1, reuse: no",
    "X-Trace: \"{random:16}\"" to "X-Trace: 5, X-Other: true, X-Empty: \"\", X-Brace: \"{a} {\"",
    "X-Trace: \"{random:16}\"" to "Expect: 100-continue, Host: example.org",
    "'{\"row\": \"{csv:row}\"}'" to "'{\"row\": {\"a\": \"{csv:row}\"}, \"b\": {{seq}}}'",
    "gzip: yes" to "gzip: On",
    "gzip: yes" to "gzip: false",
    "[200, 409]" to "599",
    "contains: granted" to "body: ''",
    "{status: [200, 409], contains: granted, json: {seat.state: granted}}" to "{}",
    "{seat.state: granted}" to "{seats.0: 5, done: true, error: null, note: ''}",
    "count: outcome" to "count: a.0.b",
    "[{rate: 100/s, for: 10s}, {burst: 1000}]" to "{poisson: 1/h, for: 1m, seed: 0}",
    "{burst: 1000}" to "{ramp: 0/s..5/m, for: 1h}",
    "max-under-way: 500" to "most-under-way: 500",
    "max-under-way: 500" to "max-under-way: 1000000",
    "connect: paced" to "connect: at once",
    "[127.0.0.1, 127.0.0.2]" to "\"::1\"",
    "connected: no" to "connected: y",
    "seats: 500, events: 20, hot: 50%" to "seats: 0",
    "hot: 50%" to "hot: 100 %",
    "trials: 3" to "repeats: 3",
    "trials: 3" to "trials: \"100\"",
    "margin: 3%" to "margin: 0%",
    "margin: 3%" to "margin: 50.0%",
    "{budget: 30s, load: 1s, pause: 2s, compiler: all cores, situations: [hello]}" to "none",
    "{budget: 30s, load: 1s, pause: 2s, compiler: all cores, situations: [hello]}" to "{}",
    "situations: [hello]" to "situations: hello",
    "pause: 2s, compiler: all cores" to "pause: 0s, compiler: own cores",
    "published: throughput of spring-mvc in hello = 192.6/s" to "published: [p50 of ktor-netty = 30ms..50ms]",
    "p99 of ktor-netty < 50ms in hello" to "Errors of ktor-netty=0% in hello, seats and sold",
    "p99 of ktor-netty < 50ms in hello" to "p50 of ktor-netty ≤ p50 of spring-mvc × 1.5",
    "p99 of ktor-netty < 50ms in hello" to "p50 of ktor-netty in hello > spring-mvc in seats",
    "    why: The post did not warm up." to "",
) + SHORT.changed(
    "stacks: ktor-netty" to "stacks: [ktor-netty]",
    "[GET /delay/10, {send: HEAD /hello}]" to "GET /delay/10",
    "{send: HEAD /hello}" to "{send: HEAD /hello, expect: {status: 200}}",
    "{send: HEAD /hello}" to "{send: GET /hello, stream: events}",
    "{send: HEAD /hello}" to "{send: GET /hello, stream: events, expect: {status: 200, messages: 10}}",
    "{send: HEAD /hello}" to "{send: GET /hello, stream: websocket, expect: {messages: 10}}",
    "{poisson: 2000/s, for: 30s, seed: 7}" to "{burst: 1000}",
    "connections: {max-under-way: 100}" to "connections: {}",
) + OWN.changed(
    "{java} -jar shop.jar" to "sh -c 'exec {java} -jar shop.jar | tee log' \\\"a;b\\\" c\\\\&d",
    "ready: GET /actuator/health" to "ready: {send: GET /health, expect: {status: 204}}",
    "[-Xmx512m]" to "[]",
    "[-Xmx512m]" to "-Xmx512m",
    "http://localhost:8081" to "https://[::1]:8443/",
    "tcp {port}" to "tcp 5432",
    "tcp {port}" to "GET /health",
    "    ready: tcp {port}\n" to "",
)
