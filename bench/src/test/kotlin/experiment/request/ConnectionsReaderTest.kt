package threadgauge.experiment.request

import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import threadgauge.experiment.VALID
import threadgauge.experiment.asking
import threadgauge.experiment.mistakesBeside
import threadgauge.experiment.mistakesOf
import threadgauge.experiment.read
import threadgauge.experiment.readBeside
import threadgauge.experiment.shown
import threadgauge.model.request.Connections
import threadgauge.model.request.Protocol
import threadgauge.model.request.Tls

class ConnectionsReaderTest {
    @Test
    fun `every key is read, in a situation and in the short form`() {
        val more = "connections: " +
            "{protocol: http/2, streams: 10, tls: yes, max-under-way: 5000, connect: at once, from: [127.0.0.1, '::1']}"
        val expected = Connections(Protocol.HTTP_2, Tls(), false, 10, 5_000, true, listOf("127.0.0.1", "::1"))
        read(asking("GET /", more = more)).situations.single().connections shouldBe expected
        val situation = VALID.replace("{users: 50, for: 5s}", "{rate: 50/s, for: 5s}\n    $more")
        read(situation).situations.single().connections shouldBe expected
        connections("{delay: 20ms}") shouldBe Connections(delayNanos = 20_000_000)
        connections("{max-header-bytes: 8000, repeat-unprocessed: yes}") shouldBe
            Connections(maxHeaderBytes = 8_000, repeatUnprocessed = true)
        connections("{reuse: no}") shouldBe Connections(perRequest = true)
        connections("{tls: {insecure: yes}, from: 127.0.0.2}") shouldBe
            Connections(tls = Tls(insecure = true), sources = listOf("127.0.0.2"))
        connections("{tls: no, reuse: yes, connect: paced, protocol: http/1.1, streams: 1}") shouldBe Connections()
        read(VALID).situations.single().connections shouldBe Connections()
    }

    @Test
    fun `certificates of authorities are read into the experiment`() {
        val pem = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"
        val text = asking("GET /", more = "connections: {tls: {authorities: ca.pem}}")
        readBeside(text, "ca.pem" to pem).situations.single().connections.tls shouldBe Tls(authorities = pem)
        mistakesBeside(text, "ca.pem" to "hello") shouldContainExactly
            listOf("6:34 this file holds no certificate | In PEM one begins with -----BEGIN CERTIFICATE-----.")
        mistakesBeside(text, "ca.pem" to "-----BEGIN PRIVATE KEY-----") shouldContainExactly
            listOf("6:34 this file holds a private key | Name a file with certificates alone.")
    }

    @Test
    fun `each mistake is told at its place with a remedy`() {
        val cases = listOf(
            "{streams: 2}" to
                "6:15 HTTP/1.1 has one request at a time on a connection | Add protocol: http/2, or leave " +
                "\"streams\" out.",
            "{protocol: http/2, reuse: no}" to
                "6:33 an HTTP/2 connection is made to be kept | Write protocol: http/1.1, or leave \"reuse\" out.",
            "{reuse: no, connect: at once}" to
                "6:26 \"connect\" says how connections are opened before the load, and with " +
                "\"reuse: no\" none is | Leave one of them out.",
            "{protocol: http2}" to
                "6:25 protocol cannot be \"http2\" | Did you mean \"http/2\"? Known here: http/1.1, http/2.",
            "{stream: 2}" to "6:15 unknown key \"stream\" in connections | Did you mean \"streams\"? " +
                "Known here: protocol, streams, tls, reuse, max-under-way, connect, delay, from, max-header-bytes, " +
                "repeat-unprocessed, cookies.",
            "{max-header-bytes: 8}" to
                "6:33 max-header-bytes cannot be 8: less than 1000 | Write a whole number from 1000 to 100000000.",
            "{streams: 0}" to "6:24 streams cannot be 0: less than 1 | Write a whole number from 1 to 1000.",
            "{max-under-way: 0}" to
                "6:30 max-under-way cannot be 0: less than 1 | Write a whole number from 1 to 1000000.",
            "{tls: insecure}" to "6:20 tls cannot be \"insecure\" | Write yes or no.",
            "{tls: [a]}" to "6:20 tls needs keys with values, and this is a list | " +
                "Write tls: yes, tls: {authorities: ca.pem} or tls: {insecure: yes}",
            "{connect: slowly}" to "6:24 connect cannot be \"slowly\" | Known here: paced, at once.",
            "{from: localhost}" to
                "6:21 \"localhost\" is not an IP address | Write a local address, such as 127.0.0.2 or ::1.",
            "{from: [127.0.0.256]}" to
                "6:22 \"127.0.0.256\" is not an IP address | Write a local address, such as 127.0.0.2 or ::1.",
            "{from: [127.0.0.1, 127.0.0.1]}" to "6:33 the address \"127.0.0.1\" is named twice | Leave one out.",
            "yes" to "6:14 connections needs keys with values, and this is a single value | " +
                "Write {protocol: http/2, streams: 10, tls: yes}",
        )
        mistakesOf(cases.map { it.first }) { asking("GET /", more = "connections: $it") } shouldBe shown(cases)
    }

    @Test
    fun `a limit of requests under way is for open loads`() {
        val more = "connections: {max-under-way: 5}"
        mistakesBeside(asking("GET /", "{users: 2, for: 1s}", more)) shouldContainExactly listOf(
            "6:15 \"max-under-way\" is for open loads; here the number of users is the limit | Leave it out.",
        )
        mistakesBeside(
            asking("GET /", "[{users: 2, for: 1s}, {rate: 2/s, for: 1s}]", more),
        ) shouldContainExactly emptyList()
    }

    @Test
    fun `addresses are told from names without asking anybody`() {
        for (good in listOf(
            "127.0.0.1", "0.0.0.0", "255.255.255.255", "::1", "fe80::1", "::ffff:1.2.3.4",
        )) withClue(good) {
            isAddress(good) shouldBe true
        }
        val names = listOf(
            "", "1", "1.2.3", "1.2.3.4.5", "01.2.3.4", "a.b", "::g", ":", "1:2", "dead.beef", ":::", "a".repeat(99),
        )
        for (bad in names) withClue(bad) { isAddress(bad) shouldBe false }
    }

    private fun connections(text: String) =
        read(asking("GET /", more = "connections: $text")).situations.single().connections
}
