package threadgauge.server.webflux.articles

import org.springframework.boot.autoconfigure.condition.ConditionalOnExpression
import org.springframework.r2dbc.core.DatabaseClient
import org.springframework.web.bind.annotation.GetMapping
import org.springframework.web.bind.annotation.PathVariable
import org.springframework.web.bind.annotation.RequestMapping
import org.springframework.web.bind.annotation.RequestParam
import org.springframework.web.bind.annotation.RestController
import reactor.core.publisher.Mono
import threadgauge.server.articles.Article
import threadgauge.server.articles.HAS_R2DBC
import threadgauge.server.articles.articles
import threadgauge.server.articles.idOf
import threadgauge.server.articles.idsOf

/**
 * Articles with R2DBC: Spring's DatabaseClient on r2dbc-pool. No thread waits for the rows. With H2 only the API is
 * reactive: its driver queries the database on the calling thread.
 *
 * Rows are collected before they are written, as with JDBC. A handler could return a `Flux<Article>` instead, which
 * sends each row separately. That would compare ways to write an answer, not drivers.
 */
@RestController
@RequestMapping("/api/articles")
@ConditionalOnExpression(HAS_R2DBC)
class R2dbcArticles(private val client: DatabaseClient) {
    @GetMapping
    fun articles(@RequestParam(required = false) ids: String?): Mono<List<Article>> =
        client.articles(idsOf(ids)).all().collectList()

    @GetMapping("/{id}")
    fun article(@PathVariable id: String): Mono<Article> = client.articles(listOf(idOf(id))).all().single()
}
