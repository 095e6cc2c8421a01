package threadgauge.server.spring.coroutine.articles

import threadgauge.server.articles.Article

/** Source of articles, with one implementation for each driver and each way to call it. */
interface ArticleSource {
    /** The articles with these [ids], each once, ordered by id. */
    suspend fun find(ids: List<Int>): List<Article>
}
