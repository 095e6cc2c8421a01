package threadgauge.contract.check.page

/** The page of `/page/{n}`, which stacks serve with the option `templates`. Null for other paths, and where the answer is not 200. */
fun expectedPage(path: String): String? {
    val digits = PAGE.matchEntire(path.substringBefore('?'))?.groupValues?.get(1)
    val count = digits?.toIntOrNull()?.takeIf { it in 1..ITEMS_MOST } ?: return null
    val items = (1..count).joinToString("\n") { "      <li>item $it${if (it == 1) " &lt;&amp;&quot;&gt;" else ""}</li>" }
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
const val ITEMS_MOST = 1_000
