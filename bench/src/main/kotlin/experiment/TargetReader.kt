package threadgauge.experiment

import threadgauge.model.Stack

/**
 * What a user means by a TARGET on the command line: the name of a stack. Throws [ExperimentMistakes] with the nearest name.
 */
fun readTarget(text: String, catalogue: StackCatalogue): Stack = catalogue[text] ?: throw ExperimentMistakes(
    listOf(ExperimentMistake("TARGET", 0, 0, "", "there is no stack ${quoted(text)}", nearestRemedy(text, catalogue.names))),
)
