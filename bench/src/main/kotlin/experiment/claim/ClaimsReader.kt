package threadgauge.experiment.claim

import threadgauge.experiment.yaml.ParseContext
import threadgauge.experiment.yaml.YamlMap
import threadgauge.experiment.yaml.YamlNode
import threadgauge.experiment.yaml.YamlScalar
import threadgauge.experiment.yaml.fields
import threadgauge.experiment.yaml.members
import threadgauge.experiment.yaml.name
import threadgauge.experiment.yaml.text
import threadgauge.experiment.yaml.words
import threadgauge.model.claim.Claim
import threadgauge.model.claim.PublishedFigure
import threadgauge.model.claim.Source

internal fun ParseContext.source(node: YamlNode): Source? {
    val fields = fields(node, "source", listOf("title", "author", "date", "conditions"), "source: {title: A post on …}")
        ?: return null
    fun text(key: String, longest: Int) = fields.optional(key)?.let { words(it, key, "$key: …", longest) }
    val title = fields.required("title", "title: A post on …")
        ?.let { words(it, "title", "title: A post on …", MAX_LINE_LENGTH) }
    val author = text("author", MAX_LINE_LENGTH)
    val date = text("date", MAX_LINE_LENGTH)
    val conditions = text("conditions", MAX_WHY_LENGTH)
    return title?.let { Source(it, author, date, conditions) }
}

/** Published figures, one per line. Lines with mistakes are reported and left out. */
internal fun ParseContext.published(node: YamlNode, names: ClaimNames): List<PublishedFigure> =
    members(node, "published", "throughput of spring-mvc = 192.6/s").orEmpty().flatMap { member ->
        line(member, "a published figure", "throughput of spring-mvc = 192.6/s")
            ?.let { ClaimParser(this, it, names).published() }.orEmpty()
    }

/** Claims in either form: one line, or a map with the statements as published and corrected. */
internal fun ParseContext.claims(node: YamlNode, names: ClaimNames): List<Claim> {
    val lines = HashMap<String, Int>()
    return members(node, "claims", "- $CLAIM_EXAMPLE").orEmpty().mapIndexedNotNull { index, member ->
        val claim = if (member is YamlMap) written(member, names) else shortClaim(member, "claim-${index + 1}", names)
        val before = claim?.let { lines.putIfAbsent(it.name, member.place.line) }
        if (before != null) {
            wrong(member, "a claim on line $before is named \"${claim.name}\" too", "Give each a name of its own.")
        }
        claim
    }
}

private fun ParseContext.shortClaim(node: YamlNode, name: String, names: ClaimNames): Claim? {
    val line = line(node, "a claim", CLAIM_EXAMPLE) ?: return null
    val statements = ClaimParser(this, line, names).statements() ?: return null
    return Claim(name, sentenceOf(line.text), corrected = statements)
}

private fun ParseContext.written(node: YamlMap, names: ClaimNames): Claim? {
    val fields = fields(node, "a claim", CLAIM_KEYS, CLAIM_EXAMPLE) ?: return null
    val name = fields.required("name", "name: fourteen-times")?.let { name(it, "name") }
    val says = fields.required("says", "says: WebFlux serves 14 times as much.")
        ?.let { words(it, "says", "the claim in a sentence", MAX_LINE_LENGTH) }
    val why = fields.optional("why")?.let { words(it, "why", "a paragraph", MAX_WHY_LENGTH) }
    val before = mistakeCount
    val asPublished = fields.optional("as-published")?.let { statements(it, "as-published", names) }.orEmpty()
    val corrected = fields.optional("corrected")?.let { statements(it, "corrected", names) }.orEmpty()
    if (listOf("as-published", "corrected").none(fields::isMeant)) {
        wrong(node, "this claim states nothing", "Add a line such as corrected: $CLAIM_EXAMPLE")
    }
    if (mistakeCount > before || name == null || says == null) return null
    return Claim(name, says, asPublished, corrected, why)
}

private fun ParseContext.statements(node: YamlNode, what: String, names: ClaimNames) =
    members(node, what, CLAIM_EXAMPLE).orEmpty().flatMap { member ->
        line(member, what, CLAIM_EXAMPLE)?.let { ClaimParser(this, it, names).statements() }.orEmpty()
    }

/** A scalar for further parsing; anything else is reported. */
private fun ParseContext.line(node: YamlNode, what: String, example: String): YamlScalar? {
    words(node, what, example, MAX_CLAIM_LENGTH) ?: return null
    return node as? YamlScalar
}

private fun sentenceOf(text: String) = text.trim().replaceFirstChar { it.uppercase() } + "."

private val CLAIM_KEYS = listOf("name", "says", "as-published", "corrected", "why")
private const val CLAIM_EXAMPLE = "throughput of spring-webflux >= 2 x spring-mvc"
private const val MAX_LINE_LENGTH = 200
private const val MAX_CLAIM_LENGTH = 300
private const val MAX_WHY_LENGTH = 1_500
