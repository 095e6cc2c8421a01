package threadgauge.experiment

import threadgauge.experiment.load.goals
import threadgauge.experiment.yaml.Fields
import threadgauge.experiment.yaml.ParseContext
import threadgauge.experiment.yaml.YamlList
import threadgauge.experiment.yaml.YamlMap
import threadgauge.experiment.yaml.YamlNode
import threadgauge.experiment.yaml.YamlScalar
import threadgauge.experiment.yaml.quoted
import threadgauge.model.Situation
import threadgauge.model.Slo
import threadgauge.model.SloGoal

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
    val known = situations.orEmpty()
    experiment.optional("goals")?.let { node -> refuseUnknownSteps(node, ofAll, known) }
    for (situation in written.filterIsInstance<YamlMap>()) {
        val name = (situation["name"] as? YamlScalar)?.text ?: continue
        situation["goals"]?.let { node -> refuseUnknownSteps(node, own[name], known.filter { it.name == name }) }
    }
    return known.mapNotNull { situation ->
        (own[situation.name] ?: ofAll)?.let { situation.name to it.of(situation) }
    }.toMap()
}

/** Without goals of steps that [situation] does not have. */
private fun Slo.of(situation: Situation) = copy(ofSteps = ofSteps.filter { situation.has(it) })

private fun Situation.has(goal: SloGoal.OfStep): Boolean = scenarios.any { scenario ->
    scenario.name == goal.scenario && (goal.step == null || scenario.steps.any { it.name == goal.step })
}

private fun ParseContext.refuseUnknownSteps(node: YamlNode, slo: Slo?, situations: List<Situation>) {
    if (situations.isEmpty()) return
    for (goal in slo?.ofSteps.orEmpty().filter { goal -> situations.none { it.has(goal) } }) {
        val known = situations.flatMap { it.scenarios }.distinct()
            .flatMap { scenario -> listOf(scenario.name) + scenario.steps.map { "${scenario.name}.${it.name}" } }
        val asked = listOfNotNull(goal.scenario, goal.step).joinToString(".")
        val remedy = if (known.isEmpty()) "Goals of steps need scenarios." else nearest(asked, known)
        wrong(node, "there is no step ${quoted(asked)}", remedy)
    }
}
