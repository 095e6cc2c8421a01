package threadgauge.contract.check.article

import threadgauge.contract.check.Check
import threadgauge.contract.check.protocol.mustBeProblem
import threadgauge.contract.client.Answer
import threadgauge.contract.client.ContractClient

/** Articles from a database: the right rows, in order, as the same bytes from every stack. */
internal val articleChecks: List<Check> = listOf(
    Check("/api/articles returns the requested articles, ordered by id", ARTICLES_PATH) {
        listOf(listOf(3, 1, 2), listOf(17), listOf(ARTICLES, 1, 99_999)).forEach { mustReturn(it) }
    },
    Check("/api/articles returns an article once, however often its id is given", ARTICLES_PATH) {
        mustReturn(listOf(5, 4, 5, 5, 4))
    },
    Check("/api/articles reads a repeated parameter as one list", ARTICLES_PATH) {
        get("$ARTICLES_PATH?ids=2&ids=9,1").mustHaveStatus(200).mustBeJson(referenceArticles(listOf(2, 9, 1)))
    },
    Check("/api/articles returns $MAX_IDS articles at a time", ARTICLES_PATH) { mustReturn(spread(MAX_IDS)) },
    Check("/api/articles/{id} returns one article", ARTICLES_PATH) {
        listOf(1, 17, ARTICLES).forEach {
            get("$ARTICLES_PATH/$it").mustHaveStatus(200).mustBeJson(referenceArticle(it))
        }
    },
    Check("/api/articles rejects anything but 1 to $MAX_IDS ids of articles", ARTICLES_PATH) {
        val detail = "ids must be 1 to $MAX_IDS whole numbers from 1 to $ARTICLES, separated by commas"
        val lists = listOf("", "1,", ",1", "1,,2", "1,ten", "1&ids=ten", "ten&ids=1")
        get(ARTICLES_PATH).mustBeProblem(400, "Bad Request", detail)
        (invalidIds + lists + spread(MAX_IDS + 1).joinToString(",")).forEach {
            get("$ARTICLES_PATH?ids=$it").mustBeProblem(400, "Bad Request", detail)
        }
    },
    Check("/api/articles/{id} rejects anything but the id of an article", ARTICLES_PATH) {
        val detail = "id must be a whole number from 1 to $ARTICLES"
        invalidIds.forEach { get("$ARTICLES_PATH/$it").mustBeProblem(400, "Bad Request", detail) }
    },
)

private val invalidIds = listOf("0", "${ARTICLES + 1}", "-1", "1.5", "ten", "99999999999999999999")

/** [count] ids from all over the table, from high to low. Most have five digits, so the request line is long. */
private fun spread(count: Int): List<Int> = List(count) { ARTICLES - it * 97 }

private fun ContractClient.mustReturn(ids: List<Int>) =
    get("$ARTICLES_PATH?ids=${ids.joinToString(",")}").mustHaveStatus(200).mustBeJson(referenceArticles(ids))

private fun Answer.mustBeJson(body: String) = mustBeOfType("application/json").mustHaveBody(body)
