package threadgauge.server.spring.coroutine.articles

import org.springframework.boot.autoconfigure.condition.ConditionalOnExpression
import org.springframework.web.bind.annotation.GetMapping
import org.springframework.web.bind.annotation.PathVariable
import org.springframework.web.bind.annotation.RequestMapping
import org.springframework.web.bind.annotation.RequestParam
import org.springframework.web.bind.annotation.RestController
import threadgauge.server.articles.Article
import threadgauge.server.articles.HAS_JDBC
import threadgauge.server.articles.HAS_R2DBC
import threadgauge.server.articles.idOf
import threadgauge.server.articles.idsOf

/** Articles from a database, where an address is given. */
@RestController
@RequestMapping("/api/articles")
@ConditionalOnExpression("$HAS_R2DBC || $HAS_JDBC")
class ArticleEndpoints(private val source: ArticleSource) {
    @GetMapping
    suspend fun articles(@RequestParam(required = false) ids: String?): List<Article> = source.find(idsOf(ids))

    @GetMapping("/{id}")
    suspend fun article(@PathVariable id: String): Article = source.find(listOf(idOf(id))).single()
}
