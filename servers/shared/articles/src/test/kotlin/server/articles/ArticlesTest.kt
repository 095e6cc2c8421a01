package threadgauge.server.articles

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import threadgauge.server.work.BadRequest

class ArticlesTest {
    @Test
    fun `an article follows from its id`() {
        article(16).let { listOf(it.author, it.id, it.title, it.body.length) } shouldBe
            listOf("Author 16", 16, "Article 16", 160)
        // The generator is that of the random strings, so the body begins as the string of that length.
        article(16).body.take(16) shouldBe "WE0knOXAi2pnB0On"
        article(ARTICLES).author shouldBe "Author 0"
        shouldThrow<IllegalArgumentException> { article(0) }
    }

    @Test
    fun `the SQL differs only in the markers of the driver`() {
        selectWithJdbc(2) shouldBe "SELECT author, body, id, title FROM article WHERE id IN (?, ?) ORDER BY id"
        selectWithR2dbc(2) shouldBe "SELECT author, body, id, title FROM article WHERE id IN ($1, $2) ORDER BY id"
    }

    @Test
    fun `ids keep their order and their duplicates`() {
        idsOf("3,1,2") shouldBe listOf(3, 1, 2)
        idsOf("7,7,100000") shouldBe listOf(7, 7, 100_000)
        idsOf((1..1000).joinToString(",")).size shouldBe 1_000
        idOf("17") shouldBe 17
    }

    @Test
    fun `each invalid id has the same detail`() {
        val wrong = listOf(null, "", ",", "1,", ",1", "1,,2", "0", "100001", "-1", "1.5", "ten", " 1", "99999999999")
        (wrong + (1..1001).joinToString(",")).forEach {
            shouldThrow<BadRequest> { idsOf(it) }.message shouldBe
                "ids must be 1 to 1000 whole numbers from 1 to 100000, separated by commas"
        }
        wrong.filterNotNull().forEach {
            shouldThrow<BadRequest> { idOf(it) }.message shouldBe "id must be a whole number from 1 to 100000"
        }
    }
}
