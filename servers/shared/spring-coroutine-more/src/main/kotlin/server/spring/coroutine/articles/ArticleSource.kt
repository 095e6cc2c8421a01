package threadgauge.server.spring.coroutine.articles

import threadgauge.server.articles.Article

/** Where articles come from. One implementation is there for each driver and each way to call it. */
interface ArticleSource {
    /** The articles of these numbers, each once, ordered by number. */
    suspend fun find(ids: List<Int>): List<Article>
}
