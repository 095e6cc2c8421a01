package threadgauge.judge.flame

import threadgauge.judge.cause.GroupKey
import threadgauge.judge.cause.ProfileView
import threadgauge.judge.cause.groupOf
import threadgauge.judge.cause.readTrace
import threadgauge.judge.cause.traceOf
import threadgauge.model.judgement.cause.ThreadRole
import threadgauge.model.profile.CallNode
import threadgauge.model.profile.CallTree
import threadgauge.model.profile.FlameKind
import threadgauge.model.profile.FlameSource
import threadgauge.model.profile.Flames
import threadgauge.model.profile.Frame
import threadgauge.model.profile.Profile
import threadgauge.model.profile.Trace
import threadgauge.model.profile.isNative

/** What threads of one group do at one place. */
internal class FoldedStack(
    val group: GroupKey,
    /** The innermost first; [REST_FRAME] for what is too small to be kept. */
    val frames: List<Frame>,
    /** Per request: microseconds, or bytes of allocations. */
    val value: Double,
) {
    /** As events and dumps have it: without native code. */
    val trace: Trace get() = Trace(frames.filterNot { it.isNative || it == REST_FRAME })
}

/** All stacks of one kind of one profile. */
internal class FoldedStacks(
    val kind: FlameKind,
    val source: FlameSource,
    /** Observations that they are made of. */
    val samples: Long,
    val stacks: List<FoldedStack>,
)

/**
 * The stacks of [profile] by kind: of its call trees in [flames], or of its own parts where these are missing, which
 * hold the most frequent ones. Time that threads do not spend within requests is left out.
 */
internal fun foldedStacks(profile: Profile, flames: Flames?): List<FoldedStacks> {
    if (profile.answered <= 0) return emptyList()
    val all = if (flames != null) flames.trees.map { stacksOf(it, flames, profile) } else
        listOf(running(profile), seen(profile))
    val roles = ProfileView(profile).roles
    return all.map { it.withinRequests(roles) }.filter { it.stacks.isNotEmpty() }
}

/** Stands for all frames below the bound of a call tree. */
internal val REST_FRAME = Frame("", "…")

private fun stacksOf(tree: CallTree, flames: Flames, profile: Profile): FoldedStacks {
    val scale = if (tree.kind == FlameKind.ALLOCATION) 1.0 else MICROS_PER_MILLI
    val found = ArrayList<FoldedStack>()
    for (part in tree.groups) {
        val group = groupOf(part.threads, part.isVirtual)
        fun collect(node: CallNode, above: List<Frame>) {
            val frame = if (node.frame == CallNode.REST) REST_FRAME else flames.frames.getOrNull(node.frame) ?: return
            val frames = listOf(frame) + above
            if (node.own > 0) found += FoldedStack(group, frames, node.own * scale / profile.answered)
            node.calls.forEach { collect(it, frames) }
        }
        part.calls.forEach { collect(it, emptyList()) }
    }
    return FoldedStacks(tree.kind, tree.source, tree.samples, found)
}

/** Samples, each of which stands for as much CPU time: their threads have it together. */
private fun running(profile: Profile): FoldedStacks {
    val all = profile.running.sumOf { it.samples }
    val millis = ProfileView(profile).servingCpuMillis ?: 0.0
    val stacks = profile.running.map {
        val frames = profile.traceOf(it.trace)?.frames ?: listOf(REST_FRAME)
        val value = it.samples * millis * MICROS_PER_MILLI / all / profile.answered
        FoldedStack(groupOf(it.threads, it.isVirtual), frames, value)
    }
    return FoldedStacks(FlameKind.CPU, FlameSource.EVENTS, all, stacks)
}

private fun seen(profile: Profile): FoldedStacks {
    val stacks = profile.seen.mapNotNull { row ->
        val value = row.mean * profile.windowMillis * MICROS_PER_MILLI / profile.answered
        profile.traceOf(row.trace)?.let { FoldedStack(groupOf(row.threads, row.isVirtual), it.frames, value) }
    }
    return FoldedStacks(FlameKind.WALL, FlameSource.DUMPS, profile.dumps.toLong(), stacks)
}

/** Threads by the clock mostly wait for work, so only those within requests are left. */
private fun FoldedStacks.withinRequests(roles: Map<GroupKey, ThreadRole>): FoldedStacks {
    if (kind != FlameKind.WALL) return this
    val kept = stacks.filter { readTrace(it.trace, roles[it.group] ?: ThreadRole.OTHER).kind != null }
    return FoldedStacks(kind, source, samples, kept)
}

private const val MICROS_PER_MILLI = 1e3
