package threadgauge.report.site

/** How a published run can be asked again, and where its data is. */
class Published(
    /** The command that asks the same question again, from the root of an installation. */
    val command: String,
    /** Link to the packed record, relative to the page of the run. */
    val data: String,
)
