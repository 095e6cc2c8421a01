package threadgauge.report.json

import kotlinx.serialization.json.Json

/** How every document of `--json` is written: indented, with each value, also where it is the usual one. */
internal val DOCUMENT_FORMAT = Json {
    prettyPrint = true
    encodeDefaults = true
}
