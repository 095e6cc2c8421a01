package threadgauge.experiment.target

import java.nio.file.Files
import java.nio.file.Path
import threadgauge.experiment.stack.StackCatalogue
import threadgauge.experiment.yaml.ExperimentMistakes
import threadgauge.experiment.yaml.Fields
import threadgauge.experiment.yaml.ParseContext
import threadgauge.experiment.yaml.YamlError
import threadgauge.experiment.yaml.YamlMap
import threadgauge.experiment.yaml.YamlNode
import threadgauge.experiment.yaml.fail
import threadgauge.experiment.yaml.quoted
import threadgauge.experiment.yaml.text
import threadgauge.experiment.yaml.words
import threadgauge.model.Stack

/** Where a process of one's own runs: in the folder of the file, or in `folder` from there. Null if it is wrong. */
internal fun ParseContext.ownFolder(fields: Fields): Path? {
    val ofFile = neighbours.folder.toAbsolutePath().normalize()
    val node = fields.optional("folder") ?: return ofFile
    val text = words(node, "folder", "a folder, from that of this file", MAX_COMMAND_LENGTH) ?: return null
    val folder = runCatching { ofFile.resolve(text).normalize() }.getOrNull()
    if (folder != null && Files.isDirectory(folder)) return folder
    return fail(node, "there is no folder ${quoted(text)}", "It was looked for in $ofFile.")
}

/** A command that runs in [folder]; null if it is wrong. */
internal fun ParseContext.ownCommand(
    node: YamlNode,
    example: String,
    catalogue: StackCatalogue,
    folder: Path,
): Stack? {
    val text = words(node, "command", example, MAX_COMMAND_LENGTH) ?: return null
    return reported(node) { readCommand(text, catalogue, folder) }
}

/** What is wrong with a target, at the place of [node]. */
internal fun ParseContext.reported(node: YamlNode, read: () -> Stack): Stack? = try {
    read()
} catch (refused: ExperimentMistakes) {
    refused.mistakes.forEach { wrong(node, it.problem, it.remedy) }
    null
}

/** Variables of the environment, under [key]; empty where there are none. */
internal fun ParseContext.environment(fields: Fields, key: String): Map<String, String> {
    val node = fields.optional(key) ?: return emptyMap()
    if (node !is YamlMap) {
        if (node is YamlError) return emptyMap()
        wrong(node, "$key needs names with values, and this is ${node.kind}", "Write $key: {NAME: value}")
        return emptyMap()
    }
    val variables = LinkedHashMap<String, String>()
    for ((name, valueNode) in node.entries) {
        val value = text(valueNode, "the variable ${quoted(name.text)}", "a text, in quotes if need be")
        if (!VARIABLE.matches(name.text)) {
            val remedy = "Names have letters, digits and underscores, such as SPRING_PROFILES_ACTIVE."
            wrong(name, "${quoted(name.text)} is not the name of a variable", remedy)
        } else if (value != null && '\u0000' in value) {
            wrong(valueNode, "a variable cannot hold the character U+0000", "Leave it out.")
        } else if (value != null) {
            variables[name.text] = value
        }
    }
    return variables
}

private val VARIABLE = Regex("[A-Za-z_][A-Za-z0-9_]*")
