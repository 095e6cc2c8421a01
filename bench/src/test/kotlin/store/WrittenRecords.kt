package threadgauge.store

import java.nio.file.Path
import threadgauge.model.Record

/** The folder of [record] in [results], in which it is now written under [name]. */
internal fun written(results: Path, name: String, record: Record): RecordFolder =
    RecordFolder(results.resolve(name)).create().apply { write(record.copy(id = name)) }
