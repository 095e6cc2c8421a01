package threadgauge.experiment

import threadgauge.experiment.load.goals
import threadgauge.experiment.yaml.Fields
import threadgauge.experiment.yaml.ParseContext
import threadgauge.experiment.yaml.YamlList
import threadgauge.experiment.yaml.YamlMap
import threadgauge.experiment.yaml.YamlScalar
import threadgauge.model.Situation
import threadgauge.model.Slo

/**
 * The goals of each situation by its name: its own, or those of the whole file. A situation without either is no key.
 * [situations] are null where they could not be read.
 */
internal fun ParseContext.goalsBySituation(experiment: Fields, situations: List<Situation>?): Map<String, Slo> {
    val ofAll = experiment.optional("goals")?.let { goals(it) }
    val written = experiment.optional("situations").let { (it as? YamlList)?.items ?: listOfNotNull(it) }
    val own = written.filterIsInstance<YamlMap>().mapNotNull { situation ->
        val slo = situation["goals"]?.let { goals(it) } ?: return@mapNotNull null
        (situation["name"] as? YamlScalar)?.let { it.text to slo }
    }.toMap()
    return situations.orEmpty().mapNotNull { situation ->
        (own[situation.name] ?: ofAll)?.let { situation.name to it }
    }.toMap()
}
