package threadgauge.server.work

/** Most items on a page. */
const val MAX_ITEMS = 1_000

/** The `n` of `/page/{n}`. */
fun itemCountOf(text: String): Int = wholeNumber("n", text, 1..MAX_ITEMS)

/** The items of a page, for the template. The first holds what HTML has to escape. */
fun itemsOf(count: Int): List<String> = List(count) { if (it == 0) "item 1 <&\">" else "item ${it + 1}" }

/** The page's title. */
const val PAGE_TITLE = "Threadgauge"
