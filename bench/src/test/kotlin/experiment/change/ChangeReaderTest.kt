package threadgauge.experiment.change

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldContainAll
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldStartWith
import java.nio.file.Path
import kotlin.io.path.writeText
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import threadgauge.experiment.yaml.ExperimentMistakes
import threadgauge.model.advice.ChangeEffect
import threadgauge.model.advice.ChangeSetting
import threadgauge.model.advice.KnownChange
import threadgauge.model.advice.LimitedResource
import threadgauge.model.advice.SettingKind

class ChangeReaderTest {
    @TempDir
    lateinit var folder: Path

    @Test
    fun `every shipped change can be read, and says how it is done and where that is documented`() {
        val changes = shippedChanges()
        changes.map { it.id } shouldContainAll listOf(
            "spring-virtual-threads", "tomcat-threads", "tomcat-connections", "hikari-pool", "r2dbc-pool",
            "webclient-pool", "reactor-netty-loops", "carriers", "io-dispatcher", "larger-heap", "parallel-collector",
            "ktor-call-group", "ktor-client", "blocking-off-loop-ktor", "narrow-lock", "name-cache", "asynchronous-log",
        )
        changes.forEach { change ->
            withClue(change.id) {
                change.source shouldStartWith "https://"
                (change.setting != null || change.code != null) shouldBe true
                // A number that a setting needs must be known, or be the size of what was seen.
                val needsSize = change.setting?.let { ChangeSetting.VALUE in it.value } == true
                (needsSize && change.effect == ChangeEffect.NoLimit) shouldBe false
            }
        }
    }

    @Test
    fun `a setting is what a user types`() {
        val changes = shippedChanges().associateBy { it.id }
        fun typed(id: String) = changes.getValue(id).setting.shouldNotBeNull().text("20")
        typed("hikari-pool") shouldBe "spring.datasource.hikari.maximum-pool-size=20"
        typed("spring-virtual-threads") shouldBe "spring.threads.virtual.enabled=true"
        typed("reactor-netty-loops") shouldBe "-Dreactor.netty.ioWorkerCount=20"
        typed("larger-heap") shouldBe "-Xmx20m"
        typed("parallel-collector") shouldBe "-XX:+UseParallelGC"
        typed("ktor-call-group") shouldBe "-P:ktor.deployment.callGroupSize=20"
    }

    @Test
    fun `a change of the user's own is read with all its keys, and takes the place of one with the same id`() {
        val own = read(
            """
            changes:
              - id: hikari-pool
                title: Our pool
                resource: connections
                seen: {threads: "^shop-", classes: [com.shop.], of: Hikari}
                effect: times 1.5
                usual: 12
                java: 17
                set: {environment: SHOP_POOL, to: "{value}"}
                note: Ask the database people.
                source: http://wiki.shop.example/pool
            """,
        )
        val change = own.single()
        change.effect shouldBe ChangeEffect.Times(1.5)
        change.resource shouldBe LimitedResource.CONNECTIONS
        change.setting shouldBe ChangeSetting(SettingKind.ENVIRONMENT, "SHOP_POOL", "{value}")
        change.evidence.classes shouldContainExactly listOf("com.shop.")
        change.usual shouldBe 12
        val all = together(shippedChanges(), own)
        all.filter { it.id == "hikari-pool" } shouldContainExactly own
        all.size shouldBe shippedChanges().size
    }

    @Test
    fun `each mistake is reported with its line and a remedy, all at once`() {
        val words = mistakes(
            """
            changes:
              - id: One Pool
                title: A pool
                resource: conections
                effect: times 0.5
                set: {spring: a.b, property: c.d}
                source: the manual
              - id: second
                title: No way to do it
                resource: lock
                effect: gone
                source: https://example.org/x
              - {id: third, title: T, resource: lock, effect: gone, seen: {of: "("}, code: x, source: https://e.org}
              - {id: third, title: T, resource: lock, effect: elsewhere 1.5, code: x, sorce: https://e.org}
              - {id: fourth, title: T, resource: lock, effect: gone, set: {jvm: "-Xmx 5"}, source: https://e.org}
            """,
        )
        for (line in listOf(
            "ours.yaml:2:9: the name \"One Pool\" is not in lower case with hyphens",
            "ours.yaml:4:15: resource cannot be \"conections\"",
            "Did you mean \"connections\"?",
            "ours.yaml:5:13: effect cannot be \"times 0.5\"",
            "ours.yaml:6:10: set needs one of property, jvm, spring, argument, environment, and has 2",
            "ours.yaml:7:13: the source \"the manual\" is no address",
            "ours.yaml:8:5: this change says neither what to set nor what to do in the code",
            "of is no regular expression",
            "effect cannot be \"elsewhere 1.5\"",
            "unknown key \"sorce\" in a change",
            "the name \"-Xmx 5\" has a blank or a = in it",
        )) {
            words shouldContain line
        }
    }

    @Test
    fun `two changes of one id, a file without a list, and an empty one are refused`() {
        val one = "{id: a, title: T, resource: lock, effect: gone, code: x, source: https://e.org}"
        mistakes("changes: [$one, $one]") shouldContain "the change \"a\" is here twice, first on line 1"
        mistakes("change: []") shouldContain "unknown key \"change\""
        mistakes("") shouldContain "the file says nothing"
        val none = shouldThrow<ExperimentMistakes> { readChanges(folder.resolve("none.yaml")) }
        none.message.shouldNotBeNull() shouldContain "there is no such file"
    }

    private fun file(text: String) = folder.resolve("ours.yaml").also { it.writeText(text.trimIndent()) }

    private fun read(text: String): List<KnownChange> = readChanges(file(text))

    private fun mistakes(text: String): String =
        shouldThrow<ExperimentMistakes> { read(text) }.message.shouldNotBeNull()
}
