package threadgauge.model

import io.kotest.matchers.shouldBe
import kotlinx.serialization.json.Json
import org.junit.jupiter.api.Test

class SaleAuditTest {
    /** Records keep the key `books` that ledgers had before version 0.2, so that old and new ones can be read. */
    @Test
    fun `a ledger is read and written by the key that it has in all records`() {
        val ledger = """{"seats":9,"taken":8,"reservations":7,"wishes":6}"""
        val text = """{"books":$ledger,"acknowledged":7,"others":[$ledger]}"""
        val audit = SaleAudit(SaleLedger(9, 8, 7, 6), acknowledged = 7, others = listOf(SaleLedger(9, 8, 7, 6)))
        Json.decodeFromString(SaleAudit.serializer(), text) shouldBe audit
        Json.encodeToString(SaleAudit.serializer(), audit) shouldBe text
    }
}
