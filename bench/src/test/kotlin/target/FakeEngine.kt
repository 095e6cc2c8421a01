package threadgauge.target

import java.nio.file.Path
import kotlin.io.path.createDirectories
import kotlin.io.path.deleteIfExists
import kotlin.io.path.exists
import kotlin.io.path.readText
import kotlin.io.path.writeText

/**
 * A program in Docker's place, in [folder]. What it runs is a process in a session of its own, which ends neither with
 * the program that started it nor by TERM, as a container with a deaf service does. It has the image [image], and no
 * network: the port that is published is told to the process as `PORT`.
 */
class FakeEngine(private val folder: Path, name: String = "docker", image: String = "shop:1.4") {
    val program: String = folder.createDirectories().resolve(name).also {
        it.writeText(script(image))
        it.toFile().setExecutable(true)
    }.toString()

    init {
        info("""{"ServerVersion": "28.2", "SecurityOptions": ["name=seccomp,profile=builtin"]}""")
    }

    /** What it answers to `info` from now on; null: its daemon does not answer. */
    fun info(json: String?) {
        val file = folder.resolve("info")
        if (json == null) file.deleteIfExists() else file.writeText(json)
    }

    /** The words of the last `run`, each on a line. */
    val ran: List<String> get() = folder.resolve("ran").readText().lines().filter { it.isNotEmpty() }

    /** The process that stands for the container; null before it runs. */
    val pid: Long? get() = folder.resolve("pid").takeIf { it.exists() }?.readText()?.trim()?.toLongOrNull()

    private fun script(image: String) = """
        #!/bin/sh
        state='$folder'
        case "${'$'}1" in
        info) cat "${'$'}state/info" 2>/dev/null || { echo "Cannot connect to the daemon." >&2; exit 1; } ;;
        image) for last; do :; done; [ "${'$'}last" = "$image" ] && echo "sha256:of-$image" ;;
        inspect)
          pid=${'$'}(cat "${'$'}state/pid" 2>/dev/null) || exit 1
          echo "{\"Id\": \"no-such-control-group\", \"State\": {\"Pid\": ${'$'}pid}," \
            "\"NetworkSettings\": {\"Networks\": {}}}" ;;
        rm) kill -KILL "${'$'}(cat "${'$'}state/pid")" ;;
        run)
          shift
          printf '%s\n' "${'$'}@" >"${'$'}state/ran"
          while :; do
            case "${'$'}1" in
            --publish=*) PORT=${'$'}(echo "${'$'}1" | cut -d: -f2); export PORT ;;
            -*) ;;
            *) break ;;
            esac
            shift
          done
          shift
          (trap '' TERM; exec setsid "${'$'}@") &
          echo ${'$'}! >"${'$'}state/pid"
          wait ${'$'}! ;;
        esac
    """.trimIndent() + "\n"
}
