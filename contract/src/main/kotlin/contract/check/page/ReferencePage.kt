package threadgauge.contract.check.page

/**
 * The body of a correct answer to `/page/{n}`, which stacks serve with the option `templates`. Null for other paths,
 * and where the status is not 200.
 */
fun expectedPage(path: String): String? {
    val digits = PAGE.matchEntire(path.substringBefore('?'))?.groupValues?.get(1)
    val count = digits?.toIntOrNull()?.takeIf { it in 1..MAX_ITEMS } ?: return null
    val items = (1..count).joinToString("\n") {
        "      <li>item $it${if (it == 1) " &lt;&amp;&quot;&gt;" else ""}</li>"
    }
    return """<!DOCTYPE html>
<html>
  <head>
    <title>Threadgauge</title>
  </head>
  <body>
    <ul>
$items
    </ul>
  </body>
</html>
"""
}

private val PAGE = Regex("/page/([0-9]+)")

/** Longest page. */
const val MAX_ITEMS = 1_000
