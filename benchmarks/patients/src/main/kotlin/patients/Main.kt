package threadgauge.patients

/** `NAME PORT` starts a patient; `backend PORT MILLIS AT-ONCE` and `database PORT` what some of them call. */
fun main(arguments: Array<String>) {
    val name = arguments[0]
    val port = arguments[1].toInt()
    when (name) {
        "backend" -> startBackend(port, arguments[2].toLong(), arguments[3].toInt())
        "database" -> startDatabase(port)
        in mvcPatients -> startMvc(mvcPatients.getValue(name), port)
        in knownServices -> startMvc(knownServices.getValue(name), port)
        in webFluxPatients -> startWebFlux(webFluxPatients.getValue(name), port)
        in ktorPatients -> startKtor(ktorPatients.getValue(name), port)
        else -> error("no patient $name among ${mvcPatients.keys + webFluxPatients.keys + ktorPatients.keys}")
    }
}
