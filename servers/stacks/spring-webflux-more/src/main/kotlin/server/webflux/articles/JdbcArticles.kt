package threadgauge.server.webflux.articles

import org.springframework.boot.autoconfigure.condition.ConditionalOnExpression
import org.springframework.web.bind.annotation.GetMapping
import org.springframework.web.bind.annotation.PathVariable
import org.springframework.web.bind.annotation.RequestMapping
import org.springframework.web.bind.annotation.RequestParam
import org.springframework.web.bind.annotation.RestController
import reactor.core.publisher.Mono
import reactor.core.scheduler.Schedulers
import threadgauge.server.articles.Article
import threadgauge.server.articles.HAS_JDBC
import threadgauge.server.articles.idOf
import threadgauge.server.articles.idsOf

/** Articles with JDBC: a blocking call on the bounded elastic pool, as Reactor's manual recommends. */
@RestController
@RequestMapping("/api/articles")
@ConditionalOnExpression("$HAS_JDBC && !\${articles.naive:false}")
class JdbcArticles(private val repository: ArticleRepository) {
    @GetMapping
    fun articles(@RequestParam(required = false) ids: String?): Mono<List<Article>> = find(idsOf(ids))

    @GetMapping("/{id}")
    fun article(@PathVariable id: String): Mono<Article> = find(listOf(idOf(id))).map { it.single() }

    private fun find(ids: List<Int>): Mono<List<Article>> =
        Mono.fromCallable { repository.find(ids) }.subscribeOn(Schedulers.boundedElastic())
}
