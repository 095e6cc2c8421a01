package threadgauge.tickets.service.store

import java.security.SecureRandom
import java.util.UUID

/**
 * A version 7 UUID: milliseconds, then 74 random bits (RFC 9562, section 5.7). The time keeps rows that are written
 * together close in the index. The rest cannot be guessed, which matters because the identifier authorises ending a
 * hold.
 */
internal fun newReservationId(millis: Long = System.currentTimeMillis()): UUID {
    val bits = ByteArray(10).also(RANDOM::nextBytes)
    fun byte(i: Int) = bits[i].toLong() and 0xff
    val high = (millis shl 16) or 0x7000 or ((byte(0) and 0x0f) shl 8) or byte(1)
    val low = (2..9).fold(0L) { sum, i -> (sum shl 8) or byte(i) }
    return UUID(high, (low and 0x3fff_ffff_ffff_ffffL) or Long.MIN_VALUE)
}

private val RANDOM = SecureRandom()
