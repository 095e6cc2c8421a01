package threadgauge.load.http

import threadgauge.model.request.Kept

/**
 * Finds what is kept of the head of an answer: the first header of a name, or a cookie that is set. Allocates only for
 * what it finds.
 *
 * Belongs to one slot.
 */
internal class HeadWish {
    /** In the order of what is wanted; null for what was not found. */
    var found: Array<String?> = NONE
        private set
    private var wanted: List<Kept> = emptyList()

    /** Prepares for an answer of which [wanted] is to be kept. */
    fun begin(wanted: List<Kept>) {
        if (this.wanted !== wanted) {
            this.wanted = wanted
            found = if (wanted.isEmpty()) NONE else arrayOfNulls(wanted.size)
        } else if (wanted.isNotEmpty()) {
            found.fill(null)
        }
    }

    val isEmpty get() = wanted.isEmpty()

    /** A header with this [name], in any case, of the final answer. */
    fun take(name: String, value: String) {
        for (i in wanted.indices) {
            if (found[i] != null) continue
            when (val wish = wanted[i]) {
                is Kept.Header -> if (wish.name.equals(name, ignoreCase = true)) found[i] = value
                is Kept.Cookie -> if (name.equals("set-cookie", ignoreCase = true)) found[i] = cookie(wish.name, value)
                is Kept.Json, is Kept.Pattern -> Unit
            }
        }
    }

    /** The headers so far were those of an interim answer, which are not kept. */
    fun clear() = found.fill(null)

    /** The value of a `Set-Cookie` header, if it sets the cookie [name] (RFC 6265, section 5.2). */
    private fun cookie(name: String, header: String): String? {
        val pair = header.substringBefore(';')
        return if (pair.substringBefore('=').trim() == name && '=' in pair) pair.substringAfter('=').trim() else null
    }

    private companion object {
        val NONE = emptyArray<String?>()
    }
}
