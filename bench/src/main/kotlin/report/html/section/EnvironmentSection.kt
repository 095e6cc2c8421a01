package threadgauge.report.html.section

import kotlinx.html.DIV
import kotlinx.html.DL
import kotlinx.html.FlowContent
import kotlinx.html.code
import kotlinx.html.dd
import kotlinx.html.div
import kotlinx.html.dl
import kotlinx.html.dt
import kotlinx.html.h2
import kotlinx.html.h3
import kotlinx.html.h4
import kotlinx.html.id
import kotlinx.html.p
import kotlinx.html.pre
import kotlinx.html.section
import threadgauge.model.Record
import threadgauge.model.WarmUpRule
import threadgauge.report.format.NOTHING
import threadgauge.report.format.ReportContext
import threadgauge.report.format.gigabytes
import threadgauge.report.format.number
import threadgauge.report.format.plainPercent
import threadgauge.report.format.seconds
import threadgauge.report.html.markSign
import threadgauge.report.regression.title
import threadgauge.wording.machine.words

/** The machine, the plan and the exact commands: what is needed to repeat the run. */
internal fun FlowContent.environmentSection(subject: ReportContext) = section {
    id = "machine"
    attributes["aria-labelledby"] = "machine-title"
    h2 { id = "machine-title"; +"Machine, plan and commands" }
    div("two") {
        div { h3 { +"Machine" }; dl("facts") { machine(subject.record) } }
        div { h3 { +"Plan" }; dl("facts") { plan(subject.record) } }
    }
    commands(subject)
}

private fun DL.machine(record: Record) = with(record.environment) {
    fact("Processor", cpu)
    fact("Cores", number(cores))
    fact("Cores of the server", cores(targetCores))
    fact("Cores of the load agent", cores(agentCores))
    awakeCores?.let { kept ->
        fact("Idle cores", if (kept) "kept from sleeping" else "slept as usual (root can keep them awake)")
    }
    fact("Memory", gigabytes(memoryBytes))
    fact("Operating system", operatingSystem)
    fact("Kernel", kernel)
    fact("Java", java)
    fileLimit?.let { fact("Limit of open files", number(it)) }
    if (agents > 1) fact("Load agents", "$agents, because one cannot open enough connections")
    agentCeiling?.let {
        val cost = "${number(it.agentCpuMicrosPerRequest)} µs of CPU each"
        fact("Maximum of the load agent", "${number(it.requestsPerSecond)} requests/s, $cost")
    } ?: fact("Maximum of the load agent", "not measured")
    settings.toSortedMap().forEach { (name, value) -> fact(name, value) }
}

private fun cores(numbers: List<Int>) = if (numbers.isEmpty()) "not pinned" else numbers.joinToString()

private fun DL.plan(record: Record) = with(record.plan) {
    fact("Experiment", experiment.name)
    fact("Started", record.startedAt)
    fact("Ended", record.endedAt ?: NOTHING)
    fact("Trials per stack", number(experiment.trials))
    fact("Measured", way(record))
    fact("Order", "shuffled, seed $seed: " + trials.joinToString(" · ") { "${it.stack} ${it.number}" })
    fact("Margin", plainPercent(experiment.margin))
    fact("Warm-up", warmUp(experiment.warmUp))
    experiment.situations.forEach { fact(it.name, asked(it)) }
}

private fun way(record: Record) = when {
    !record.plan.isSideBySide || record.inTurns != null -> "in turns"
    record.plan.map != null -> "side by side, in rounds at each place"
    record.plan.knee != null -> "side by side, one load of each search in turn"
    else -> "side by side, in rounds of slices"
}

private fun warmUp(rule: WarmUpRule) = if (rule.isNone) "none" else
    "at most ${seconds(rule.budgetNanos)}, in iterations of ${seconds(rule.loadNanos)} with pauses of " +
        "${seconds(rule.pauseNanos)}"

private fun DL.fact(name: String, value: String) {
    dt { +name }
    dd { +value }
}

private fun FlowContent.commands(subject: ReportContext) {
    h3 { +"Exact commands" }
    p { +"The commands of the first trial. The port differs between processes." }
    div("commands") {
        subject.record.plan.stacks.forEach { stack ->
            val first = subject.trials(stack.name).firstOrNull()
            h4 { markSign(subject.mark(stack.name)); +stack.title }
            val url = stack.url
            if (url != null) return@forEach p("asked") { +"Already running, at $url." }
            val set = stack.environment.map { (name, value) ->
                "$name=" + if (SECRET.containsMatchIn(name)) "…" else value
            }
            command(set + (first?.command ?: stack.command), "Command of ${stack.title}")
            val place = stack.container?.let { "In a container of ${it.image}" } ?: "In ${stack.folder}"
            p("asked") { +"$place, ${stack.setting}" }
        }
        for (agent in subject.record.environment.remoteAgents) {
            h4 { +"Load agent at ${agent.at}" }
            p("asked") { +agent.words() }
        }
        if (subject.record.environment.agentCommand.isNotEmpty()) {
            h4 { +"Load agent" }
            command(subject.record.environment.agentCommand, "Command of the load agent")
        }
    }
}

private fun DIV.command(words: List<String>, name: String) = pre {
    attributes["tabindex"] = "0"
    attributes["role"] = "region"
    attributes["aria-label"] = name
    code { +words.joinToString(" ") { shellWord(it) } }
}

/** A word quoted for a POSIX shell, so that commands can be copied. */
internal fun shellWord(word: String): String {
    val plain = word.isNotEmpty() && word.all { it.isLetterOrDigit() || it in "-_./:=,@%+" }
    return if (plain) word else "'" + word.replace("'", "'\\''") + "'"
}

/** Names of variables whose values are nobody's business but the owner's. */
private val SECRET = Regex("PASS|SECRET|TOKEN|KEY|CREDENTIAL", RegexOption.IGNORE_CASE)
