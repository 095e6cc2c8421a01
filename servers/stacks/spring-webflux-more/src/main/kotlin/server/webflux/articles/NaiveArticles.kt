package threadgauge.server.webflux.articles

import org.springframework.boot.autoconfigure.condition.ConditionalOnExpression
import org.springframework.web.bind.annotation.GetMapping
import org.springframework.web.bind.annotation.PathVariable
import org.springframework.web.bind.annotation.RequestMapping
import org.springframework.web.bind.annotation.RequestParam
import org.springframework.web.bind.annotation.RestController
import reactor.core.publisher.Mono
import threadgauge.server.articles.Article
import threadgauge.server.articles.HAS_JDBC
import threadgauge.server.articles.idOf
import threadgauge.server.articles.idsOf

/** The mistake: the blocking call on the event loop, which blocks all its connections until the database answers. */
@RestController
@RequestMapping("/api/articles")
@ConditionalOnExpression("$HAS_JDBC && \${articles.naive:false}")
class NaiveArticles(private val repository: ArticleRepository) {
    @GetMapping
    fun articles(@RequestParam(required = false) ids: String?): Mono<List<Article>> =
        idsOf(ids).let { Mono.fromCallable { repository.find(it) } }

    @GetMapping("/{id}")
    fun article(@PathVariable id: String): Mono<Article> =
        listOf(idOf(id)).let { Mono.fromCallable { repository.find(it).single() } }
}
