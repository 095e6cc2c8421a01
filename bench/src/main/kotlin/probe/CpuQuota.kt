package threadgauge.probe

/**
 * CPU quota of the control groups of this process in cores: the minimum over all its groups; null without a quota.
 * [read] returns the text of a file, or null.
 *
 * Reads both versions of control groups. In a container the path of the group may be that of the host, while only the
 * container's own groups are visible, so every folder up to the root is tried.
 */
internal fun quotaCores(read: (String) -> String?): Double? {
    val groups = read("/proc/self/cgroup").orEmpty().lines().mapNotNull(::cgroupOf)
    val quotas = groups.flatMap { group ->
        val folders = ancestors(group.path)
        if (group.controllers.isEmpty()) {
            V2_ROOTS.flatMap { root -> folders.map { quotaIn(read("$root$it/cpu.max")) } }
        } else {
            V1_ROOTS.flatMap { root ->
                folders.map { quotaIn(read("$root$it/cpu.cfs_quota_us"), read("$root$it/cpu.cfs_period_us")) }
            }
        }
    }
    return quotas.filterNotNull().minOrNull()
}

/** Version 2, `cpu.max`: quota and period in microseconds, or `max 100000` for none. */
internal fun quotaIn(cpuMax: String?): Double? {
    val fields = cpuMax?.trim()?.split(' ') ?: return null
    return if (fields.size == 2) quotaIn(fields[0], fields[1]) else null
}

/** Version 1: `cpu.cfs_quota_us` is -1 for none. */
internal fun quotaIn(quota: String?, period: String?): Double? {
    val micros = numberIn(quota) ?: return null
    val of = numberIn(period)?.takeIf { it > 0 } ?: return null
    return (micros.toDouble() / of).takeIf { it > 0 }
}

private class Cgroup(val controllers: List<String>, val path: String)

/**
 * A line of `/proc/self/cgroup`: `0::/path` in version 2, `4:cpu,cpuacct:/path` in version 1; null for other
 * controllers.
 */
private fun cgroupOf(line: String): Cgroup? {
    val parts = line.split(':', limit = 3)
    if (parts.size < 3 || !parts[2].startsWith("/")) return null
    val controllers = parts[1].split(',').filter { it.isNotEmpty() }
    return Cgroup(controllers, parts[2]).takeIf { controllers.isEmpty() || "cpu" in controllers }
}

/** `/a/b` returns `/a/b`, `/a` and the empty path, which is the root. */
private fun ancestors(path: String): List<String> =
    generateSequence(path.trimEnd('/')) { if (it.isEmpty()) null else it.substringBeforeLast('/') }.toList()

private val V2_ROOTS = listOf("/sys/fs/cgroup", "/sys/fs/cgroup/unified")
private val V1_ROOTS = listOf("/sys/fs/cgroup/cpu", "/sys/fs/cgroup/cpu,cpuacct")
