package threadgauge.contract.check.article

import threadgauge.contract.check.Check
import threadgauge.contract.check.protocol.mustBeProblem
import threadgauge.contract.client.Answer
import threadgauge.contract.client.Visit

/** Articles from a database: the right rows, in order, as the same bytes from every stack. */
internal val articleChecks: List<Check> = listOf(
    Check("/api/articles answers with the articles asked for, by number", ARTICLES_PATH) {
        listOf(listOf(3, 1, 2), listOf(17), listOf(ARTICLES, 1, 99_999)).forEach { mustAnswer(it) }
    },
    Check("/api/articles answers with an article once, however often it was asked for", ARTICLES_PATH) {
        mustAnswer(listOf(5, 4, 5, 5, 4))
    },
    Check("/api/articles takes ids that are given twice for one list", ARTICLES_PATH) {
        get("$ARTICLES_PATH?ids=2&ids=9,1").mustHaveStatus(200).mustBeJson(referenceArticles(listOf(2, 9, 1)))
    },
    Check("/api/articles answers with $IDS_MOST articles at a time", ARTICLES_PATH) { mustAnswer(spread(IDS_MOST)) },
    Check("/api/articles/{id} answers with one article", ARTICLES_PATH) {
        listOf(1, 17, ARTICLES).forEach { get("$ARTICLES_PATH/$it").mustHaveStatus(200).mustBeJson(referenceArticle(it)) }
    },
    Check("/api/articles refuses what is not 1 to $IDS_MOST numbers of articles", ARTICLES_PATH) {
        val detail = "ids must be 1 to $IDS_MOST whole numbers from 1 to $ARTICLES, separated by commas"
        get(ARTICLES_PATH).mustBeProblem(400, "Bad Request", detail)
        (noArticles + listOf("", "1,", ",1", "1,,2", "1,ten", "1&ids=ten", "ten&ids=1", spread(IDS_MOST + 1).joinToString(","))).forEach {
            get("$ARTICLES_PATH?ids=$it").mustBeProblem(400, "Bad Request", detail)
        }
    },
    Check("/api/articles/{id} refuses what is not the number of an article", ARTICLES_PATH) {
        val detail = "id must be a whole number from 1 to $ARTICLES"
        noArticles.forEach { get("$ARTICLES_PATH/$it").mustBeProblem(400, "Bad Request", detail) }
    },
)

private val noArticles = listOf("0", "${ARTICLES + 1}", "-1", "1.5", "ten", "99999999999999999999")

/** So many numbers from all over the table, from high to low. Most have five digits, so the line of the request is long. */
private fun spread(count: Int): List<Int> = List(count) { ARTICLES - it * 97 }

private fun Visit.mustAnswer(ids: List<Int>) =
    get("$ARTICLES_PATH?ids=${ids.joinToString(",")}").mustHaveStatus(200).mustBeJson(referenceArticles(ids))

private fun Answer.mustBeJson(body: String) = mustBeOfType("application/json").mustHaveBody(body)
