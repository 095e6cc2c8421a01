package threadgauge.model

import java.nio.ByteBuffer
import java.nio.CharBuffer
import java.nio.charset.CharacterCodingException
import java.nio.charset.Charset
import kotlinx.serialization.Serializable

/** Encodings in which people save text by mistake. [words] are for messages, [iconv] is the name for a command. */
@Serializable
enum class TextEncoding(val words: String, val iconv: String) {
    UTF_16_LE("UTF-16 (little-endian)", "UTF-16LE"),
    UTF_16_BE("UTF-16 (big-endian)", "UTF-16BE"),
    UTF_32_LE("UTF-32 (little-endian)", "UTF-32LE"),
    UTF_32_BE("UTF-32 (big-endian)", "UTF-32BE"),
    EUC_KR("EUC-KR", "CP949"),
    LATIN_1("Latin-1 or Windows-1252", "WINDOWS-1252"),
    ;

    /** What to do about a file in this encoding. */
    val remedy get() = "Save it as UTF-8 in your editor, or convert it: iconv -f $iconv -t UTF-8 OLD > NEW"

    companion object {
        /** The encoding that [bytes] are most likely in where that is not UTF-8; null where none of these fits. */
        fun otherThanUtf8(bytes: ByteArray): TextEncoding? = when {
            bytes.startWith(0xFF, 0xFE, 0, 0) -> UTF_32_LE
            bytes.startWith(0, 0, 0xFE, 0xFF) -> UTF_32_BE
            bytes.startWith(0xFF, 0xFE) -> UTF_16_LE
            bytes.startWith(0xFE, 0xFF) -> UTF_16_BE
            0 in bytes -> utf16WithoutMark(bytes)
            Charsets.UTF_8.strict(bytes) != null || bytes.any(::isControl) -> null
            isKorean(bytes) -> EUC_KR
            else -> LATIN_1
        }

        /** ASCII in UTF-16 has a zero in every other byte, which no text in UTF-8 has. */
        private fun utf16WithoutMark(bytes: ByteArray): TextEncoding? {
            val atEven = (bytes.indices step 2).count { bytes[it] == ZERO }
            val atOdd = (1..<bytes.size step 2).count { bytes[it] == ZERO }
            val encoding = when {
                atEven == 0 && atOdd * LEAST_SHARE >= bytes.size -> UTF_16_LE
                atOdd == 0 && atEven * LEAST_SHARE >= bytes.size -> UTF_16_BE
                else -> return null
            }
            val text = Charset.forName(encoding.iconv).strict(bytes) ?: return null
            return encoding.takeIf { text.none { it < ' ' && it !in LAYOUT } }
        }

        /** Whole pairs of bytes beyond ASCII, most of which are syllables of Hangul. */
        private fun isKorean(bytes: ByteArray): Boolean {
            if (!Charset.isSupported(EUC_KR.words)) return false
            val beyond = Charset.forName(EUC_KR.words).strict(bytes)?.filter { it.code > LAST_OF_ASCII } ?: return false
            return beyond.count { it in '가'..'힣' } * 2 > beyond.length
        }

        private fun isControl(byte: Byte) = byte in 0..<' '.code && byte.toInt().toChar() !in LAYOUT

        private const val ZERO: Byte = 0
        private const val LAYOUT = "\t\n\r\u000C"
        private const val LAST_OF_ASCII = 127

        /** One byte in eight. Text in Korean has as many blanks and line ends. */
        private const val LEAST_SHARE = 8
    }
}

/** The text that [bytes] are in UTF-8, without a byte-order mark; null where they are not UTF-8 (RFC 3629). */
fun utf8Text(bytes: ByteArray): String? = Charsets.UTF_8.strict(bytes)?.removePrefix(BYTE_ORDER_MARK)?.toString()

private fun Charset.strict(bytes: ByteArray): CharBuffer? = try {
    newDecoder().decode(ByteBuffer.wrap(bytes))
} catch (_: CharacterCodingException) {
    null
}

private fun ByteArray.startWith(vararg first: Int) =
    size >= first.size && first.indices.all { this[it] == first[it].toByte() }

private const val BYTE_ORDER_MARK = "\uFEFF"
