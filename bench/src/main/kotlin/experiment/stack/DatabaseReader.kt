package threadgauge.experiment.stack

import threadgauge.experiment.yaml.ParseContext
import threadgauge.experiment.yaml.YamlMap
import threadgauge.experiment.yaml.YamlNode
import threadgauge.experiment.yaml.choice
import threadgauge.experiment.yaml.fail
import threadgauge.experiment.yaml.fields
import threadgauge.experiment.yaml.quoted
import threadgauge.experiment.yaml.words
import threadgauge.model.DatabaseAddress
import threadgauge.model.ServiceKind

/** The name of a database, and its address if it runs already; null where it is started for the run. */
internal class DatabaseChoice(val name: String, val address: DatabaseAddress?)

/** A shipped database by its name, or one that runs already by its address. */
internal fun ParseContext.database(node: YamlNode, catalogue: StackCatalogue): DatabaseChoice? {
    val databases = catalogue.services.filter { it.kind == ServiceKind.DATABASE || it.kind == ServiceKind.BOOKS }
    if (node !is YamlMap) {
        return choice(node, "database", databases.associate { it.name to DatabaseChoice(it.name, null) })
    }
    val fields = fields(node, "database", listOf("address", "user"), EXAMPLE) ?: return null
    val address = fields.required("address", "address: $ADDRESS")?.let { jdbcAddress(it) }
    val user = fields.required("user", "user: me")?.let { words(it, "user", "user: me", MAX_ADDRESS_LENGTH) }
    if (address == null || user == null) return null
    val name = databases.firstOrNull { it.commandAtAddress != null }?.name
        ?: return fail(node, "no database can be at an address", "")
    return DatabaseChoice(name, DatabaseAddress(address, user))
}

private fun ParseContext.jdbcAddress(node: YamlNode): String? {
    val text = words(node, "address", "address: $ADDRESS", MAX_ADDRESS_LENGTH) ?: return null
    return when {
        !text.startsWith(POSTGRESQL) || ' ' in text ->
            fail(node, "${quoted(text)} is no address of a PostgreSQL", "Write $ADDRESS.")
        PASSWORD in text ->
            fail(node, "the address holds a password", "Put it into the environment, as THREADGAUGE_PASSWORD.")
        else -> text
    }
}

private const val POSTGRESQL = "jdbc:postgresql://"
private const val ADDRESS = "jdbc:postgresql://db:5432/shop"
private const val EXAMPLE = "{address: $ADDRESS, user: me}"
private const val MAX_ADDRESS_LENGTH = 500
private val PASSWORD = Regex("[?&]password=")
