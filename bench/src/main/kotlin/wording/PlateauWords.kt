package threadgauge.wording

import threadgauge.model.plan.Plateau

/** Such as "97 % (94 to 99)". */
internal fun Plateau.words(): String = "${whole(share * 100)} % (${whole(low * 100)} to ${whole(high * 100)})"
