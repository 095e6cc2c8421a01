package threadgauge.experiment.stack

import threadgauge.experiment.yaml.ParseContext
import threadgauge.experiment.yaml.YamlNode
import threadgauge.experiment.yaml.members
import threadgauge.experiment.yaml.quoted
import threadgauge.experiment.yaml.scalar

/**
 * The baseline of each of [stacks]: the last one above it among those that [node] names. Null where [stacks] could not
 * be read, or something is wrong.
 */
internal fun ParseContext.baselines(
    node: YamlNode,
    stacks: List<String>,
    catalogue: StackCatalogue,
): Map<String, String>? {
    val members = members(node, "baselines", "names of some of the stacks of this file") ?: return null
    if (stacks.isEmpty()) return null
    val before = mistakeCount
    val named = LinkedHashMap<String, YamlNode>()
    for (member in members) {
        val written = scalar(member, "a baseline", "one of ${stacks.joinToString(", ")}") ?: continue
        val name = (catalogue.find(written) as? Found.Stack)?.stack?.name ?: written
        when {
            name !in stacks ->
                wrong(member, "there is no ${quoted(written)} among the stacks of this file", nearest(written, stacks))
            named.putIfAbsent(name, member) != null ->
                wrong(member, "the baseline ${quoted(name)} is named twice", "Leave one out.")
        }
    }
    if (mistakeCount > before) return null
    val baselines = stacks.runningFold(null as String?) { last, stack -> if (stack in named) stack else last }.drop(1)
    val pairs = stacks.zip(baselines).filter { (stack, _) -> stack !in named }
    pairs.filter { (_, baseline) -> baseline == null }.forEach { (stack, _) ->
        wrong(
            node,
            "no baseline stands above the stack ${quoted(stack)}",
            "In stacks, put each below what it is to be compared with.",
        )
    }
    named.filterKeys { name -> pairs.none { it.second == name } }.forEach { (name, member) ->
        wrong(
            member,
            "nothing is compared with the baseline ${quoted(name)}",
            "Put something below it in stacks, or leave it out.",
        )
    }
    return if (mistakeCount > before) null else pairs.associate { (stack, baseline) -> stack to baseline!! }
}
