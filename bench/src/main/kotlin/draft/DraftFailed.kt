package threadgauge.draft

/** What was given is not what it should be: [message] says what it lacks, and how to mend that. */
class DraftFailed(message: String) : Exception(message)
