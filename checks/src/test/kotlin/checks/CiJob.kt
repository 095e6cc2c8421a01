package threadgauge.checks

import java.nio.file.Files
import java.nio.file.Path
import java.util.concurrent.TimeUnit
import kotlin.io.path.createDirectories
import kotlin.io.path.exists
import kotlin.io.path.readLines
import kotlin.io.path.readText
import kotlin.io.path.writeText

/**
 * A job of GitHub's as the scripts in `ci/` see it: a workspace, files for summary and outputs, and a program in place
 * of Threadgauge that notes what it is called with and ends as the test says.
 */
internal class CiJob : AutoCloseable {
    private val base: Path = Files.createTempDirectory("ci test ").toRealPath()
    val workspace = base.resolve("work space").createDirectories()
    private val bin = base.resolve("bin").createDirectories()
    private val summaryFile = base.resolve("summary")
    private val outputFile = base.resolve("output")
    private val program = executable(bin.resolve("program"), PROGRAM)

    /** What the job has by itself. */
    val github = mutableMapOf(
        "GITHUB_ACTIONS" to "true", "GITHUB_STEP_SUMMARY" to "$summaryFile", "GITHUB_OUTPUT" to "$outputFile",
        "GITHUB_WORKFLOW" to "performance", "GITHUB_JOB" to "measure", "GITHUB_REPOSITORY" to "o/r",
        "GITHUB_SERVER_URL" to "https://git.test", "GITHUB_RUN_ID" to "7",
    )

    val summary get() = summaryFile.textOrNothing()
    val outputLines get() = outputFile.textOrNothing().lines().dropLast(1)
    val outputs get() = outputLines.associate { it.substringBefore('=') to it.substringAfter('=') }
    val comment get() = file("threadgauge-results/comment.md").textOrNothing()

    /** Every call of the program since the job began: its words. */
    val calls: List<List<String>>
        get() = base.resolve("calls").textOrNothing().split('\u0001').dropLast(1)
            .map { it.split('\u0000').dropLast(1) }

    fun calls(command: String) = calls.filter { it.first() == command }

    fun file(path: String): Path = workspace.resolve(path)

    /** The program answers these codes, one a call and the last for all that follow, and writes what else is there. */
    fun ends(doctor: String = "0", run: String = "0", compare: String = "0", text: String = "", errors: String = "") {
        mapOf("doctor" to doctor, "run" to run, "compare" to compare, "text" to text, "errors" to errors)
            .forEach { (name, value) -> base.resolve(name).writeText(value) }
        for (old in listOf("calls", "output", "summary", "count-doctor", "count-run", "count-compare")) {
            Files.deleteIfExists(base.resolve(old))
        }
        workspace.toFile().deleteRecursively()
        workspace.createDirectories()
    }

    /** As the action calls the script; inputs by their names in `action.yml`. */
    fun run(vararg inputs: Pair<String, String>): Ran = finish(start(*inputs))

    fun start(vararg inputs: Pair<String, String>): Process {
        val variables = inputs.associate { (name, value) -> inputVariable(name) to value }
        return start(listOf("$script"), github + variables + ("THREADGAUGE_CI_PROGRAM" to "$program"))
    }

    fun finish(process: Process): Ran {
        if (!process.waitFor(30, TimeUnit.SECONDS)) {
            process.destroyForcibly().waitFor()
            error("the script does not end: ${base.resolve("err").readText()}")
        }
        return Ran(process.exitValue(), base.resolve("out").readLines(), base.resolve("err").readText())
    }

    /** Runs the script that writes comments, with [gh] as GitHub's command. */
    fun postComment(text: String, number: String, gh: String): Ran {
        executable(bin.resolve("gh"), "printf '%s\\0' \"$@\" >>\"\$BASE/calls\"; printf '\\1' >>\"\$BASE/calls\"\n$gh")
        val body = file("comment.md").apply { writeText(text) }
        val command = listOf("${projectRoot.resolve("ci/post-comment")}", "$body", number)
        return finish(start(command, github + ("GH_TOKEN" to "none")))
    }

    /** Signals have their meaning even where a shell started the tests in the background and so has them ignored. */
    private fun start(command: List<String>, variables: Map<String, String>): Process {
        val builder = ProcessBuilder(listOf("env", "--default-signal=INT,TERM,HUP") + command)
            .directory(workspace.toFile())
        builder.environment().run {
            keys.removeIf { it.startsWith("THREADGAUGE_") || it.startsWith("GITHUB_") }
            put("PATH", "$bin:${get("PATH")}")
            put("BASE", "$base")
            putAll(variables)
        }
        return builder.redirectOutput(base.resolve("out").toFile()).redirectError(base.resolve("err").toFile()).start()
    }

    override fun close() {
        base.toFile().deleteRecursively()
    }

    companion object {
        val script: Path = projectRoot.resolve("ci/threadgauge-ci")

        private fun executable(file: Path, text: String) = file.apply {
            writeText("#!/usr/bin/env bash\n$text\n")
            toFile().setExecutable(true)
        }

        private fun Path.textOrNothing() = if (exists()) readText() else ""

        private val PROGRAM = """
            printf '%s\0' "$@" >>"${'$'}BASE/calls"
            printf '\1' >>"${'$'}BASE/calls"
            command=${'$'}1
            [ "${'$'}command" != try ] || command=run
            read -ra codes <"${'$'}BASE/${'$'}command"
            before=0
            [ ! -f "${'$'}BASE/count-${'$'}command" ] || read -r before <"${'$'}BASE/count-${'$'}command"
            echo ${'$'}((before + 1)) >"${'$'}BASE/count-${'$'}command"
            code=${'$'}{codes[before]-${'$'}{codes[-1]}}
            while [ ${'$'}# -gt 0 ]; do
                case ${'$'}1 in
                    --out) out=${'$'}2 ;;
                    --markdown) { echo "### ${'$'}command"; cat "${'$'}BASE/text"; } >"${'$'}2" ;;
                    --junit) echo "<testsuites/>" >"${'$'}2" ;;
                esac
                shift
            done
            if [ "${'$'}command" = run ] && [[ ${'$'}code = [012] ]]; then
                runs=("${'$'}out"/*/record.json)
                number=0
                [ ! -f "${'$'}{runs[0]}" ] || number=${'$'}{#runs[@]}
                mkdir -p "${'$'}out/e-${'$'}number/logs"
                touch "${'$'}out/e-${'$'}number/record.json" "${'$'}out/e-${'$'}number/logs/a.log"
                touch "${'$'}out/e-${'$'}number/summary.json"
                echo "::error::from a service"
            fi
            if [ "${'$'}code" = waits ]; then
                trap 'echo stopped >"${'$'}BASE/work space/stopped"; exit 130' INT
                touch "${'$'}BASE/work space/waiting"
                for _ in {1..200}; do sleep 0.1; done
            fi
            [ "${'$'}command" != compare ] || { pwd >"${'$'}BASE/work space/compared-in"; cat "${'$'}BASE/errors" >&2; }
            [ "${'$'}code" != none ] || code=0
            exit "${'$'}code"
        """.trimIndent()
    }
}

/** The variable by which the action gives an input to the script. */
internal fun inputVariable(input: String) = "THREADGAUGE_CI_" + input.uppercase().replace('-', '_')
