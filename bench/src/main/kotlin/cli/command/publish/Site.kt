package threadgauge.cli.command.publish

import java.nio.file.Path
import kotlin.io.path.createDirectories
import kotlin.io.path.isDirectory
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.name
import kotlin.io.path.readLines
import kotlin.io.path.relativeTo
import kotlin.io.path.writeText
import threadgauge.cli.home
import threadgauge.judge.claim.claimsOverRuns
import threadgauge.judge.judge
import threadgauge.judge.map.judgeMap
import threadgauge.model.plan.MapQuestion
import threadgauge.model.plan.Plan
import threadgauge.report.overview.OverviewRun
import threadgauge.report.site.Published
import threadgauge.report.site.SiteMap
import threadgauge.report.site.SiteRun
import threadgauge.report.site.siteHtml
import threadgauge.store.RecordFolder
import threadgauge.store.pack
import threadgauge.store.unpack

/**
 * Writes static pages of the runs and maps in [folders] to [site], which is created, and returns its first page. Each
 * has a page, its data as a packed record without local paths, and the command that asks it again. Searches for the
 * knee have no page yet and are left out. Throws `IOException`.
 */
internal fun publishSite(folders: List<RecordFolder>, site: Path): Path {
    val runs = ArrayList<SiteRun>()
    val maps = ArrayList<SiteMap>()
    for (folder in folders) {
        if (folder.read().plan.knee != null) continue
        val name = folder.path.toAbsolutePath().normalize().name
        val packed = site.resolve("runs/$name").createDirectories().resolve("$name.zip")
        pack(listOf(folder), packed)
        // What is published is what was packed: without local paths.
        val copy = unpack(packed, site.resolve("runs")).single()
        // Names of methods alone: they need no care.
        folder.flames.copyTo(copy)
        val record = copy.read()
        val published = Published(commandFor(record.plan), "$name.zip")
        val page = "runs/$name/report.html"
        if (record.plan.map != null) {
            val judgement = judgeMap(record)
            copy.writePage(record, judgement, published)
            maps += SiteMap(record, judgement, page, published)
        } else {
            val judgement = judge(record)
            copy.writePage(record, judgement, published)
            runs += SiteRun(OverviewRun(record, judgement, page), published)
        }
    }
    val claims = claimsOverRuns(runs.map { it.run.record to it.run.judgement })
    return site.resolve("index.html").also { it.writeText(siteHtml(runs, maps, claims)) }
}

/**
 * The command that carries out [plan] again in the installation [root], as far as a record shows it: files of the
 * user's own are not known.
 */
internal fun commandFor(plan: Plan, root: Path = home): String {
    plan.map?.let { return commandFor(it, plan) }
    val name = plan.experiment.name
    val shipped = listOf("experiments", "experiments/claims").map(root::resolve).filter { it.isDirectory() }
        .flatMap { it.listDirectoryEntries("*.yaml") }
        .firstOrNull { file -> file.readLines().any { it.substringBefore('#').trim() == "name: $name" } }
    val file = shipped?.relativeTo(root)?.joinToString("/") ?: "$name.yaml"
    return "./threadgauge run $file --seed ${plan.seed}"
}

private fun commandFor(question: MapQuestion, plan: Plan): String {
    val stacks = plan.stacks.joinToString(" ") { it.name }
    val axes = listOf("--work" to question.work, "--users" to question.users)
        .joinToString(" ") { (option, all) -> "$option ${all.first()}..${all.last()}" }
    val seconds = question.budgetNanos / 1_000_000_000
    return "./threadgauge map $stacks --sheet ${question.sheet.verb} $axes --budget ${seconds}s --seed ${plan.seed}"
}
