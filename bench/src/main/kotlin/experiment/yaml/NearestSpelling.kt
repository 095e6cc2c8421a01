package threadgauge.experiment.yaml

/**
 * The one of [known] that [written] was most likely meant to be, or null when none is near.
 * Near means at most a third of the letters changed; case is ignored. Of one letter or two none may be changed, because
 * "on" is not nearly "no"; one may be missing, as in "tr".
 */
internal fun nearestSpelling(written: String, known: Collection<String>): String? {
    if (written.isBlank() || written.length > MAX_LENGTH) return null
    val lower = written.lowercase()
    return known
        .filter { it.length <= MAX_LENGTH }
        .map { it to editDistance(lower, it.lowercase()) }
        .filter { (name, distance) -> distance <= mostChanges(lower, name) }
        .minWithOrNull(compareBy({ it.second }, { it.first }))?.first
}

private fun mostChanges(written: String, name: String): Int {
    val shorter = minOf(name.length, written.length)
    return if (shorter < 3 && name.length == written.length) 0 else maxOf(1, shorter / 3)
}

/** A remedy for an unknown [written]: the nearest of [known] if there is one, and all of them. */
internal fun nearestRemedy(written: String, known: Collection<String>): String {
    val nearest = nearestSpelling(written, known)
    val all = "Known here: ${known.joinToString(", ")}."
    return if (nearest == null) all else "Did you mean \"$nearest\"? $all"
}

/** Edit distance of [a] and [b]: insertions, deletions, replacements, and swaps of neighbouring letters. */
internal fun editDistance(a: String, b: String): Int {
    val rows = Array(a.length + 1) { row -> IntArray(b.length + 1) { column -> if (row == 0) column else row } }
    for (row in 1..a.length) for (column in 1..b.length) {
        val same = if (a[row - 1] == b[column - 1]) 0 else 1
        var least = minOf(rows[row - 1][column] + 1, rows[row][column - 1] + 1, rows[row - 1][column - 1] + same)
        if (row > 1 && column > 1 && a[row - 1] == b[column - 2] && a[row - 2] == b[column - 1]) {
            least = minOf(least, rows[row - 2][column - 2] + 1)
        }
        rows[row][column] = least
    }
    return rows[a.length][b.length]
}

private const val MAX_LENGTH = 60
