package threadgauge.server.work

/** Limit of items on a page. */
const val MAX_ITEMS = 1_000

/** The `n` of `/page/{n}`. */
fun itemCountOf(text: String): Int = wholeNumber("n", text, 1..MAX_ITEMS)

/** The items of a page, for the template. The first has characters that HTML must escape. */
fun itemsOf(count: Int): List<String> = List(count) { if (it == 0) "item 1 <&\">" else "item ${it + 1}" }

/** Title of every page. */
const val PAGE_TITLE = "Threadgauge"
