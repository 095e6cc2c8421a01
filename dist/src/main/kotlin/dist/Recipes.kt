package threadgauge.dist

import java.nio.file.Path
import kotlin.io.path.name

/** Files by which package managers find the archives at [address], which ends before the name of a file. */
internal class Recipes(private val version: String, private val address: String) {
    /** For Homebrew. [archives] are those with a JDK, by platform; everybody else gets the [zip] and Homebrew's JDK. */
    fun formula(zip: Path, archives: Map<Platform, Path>): String {
        val blocks = archives.entries.sortedBy { it.key.name }.joinToString("\n") { (platform, file) ->
            val (system, processor) = platform.name.split('-')
            """
            |  on_$system do
            |    on_${if (processor == "x64") "intel" else "arm"} do
            |      url "$address${file.name}"
            |      sha256 "${sha256(file)}"
            |    end
            |  end
            """.trimMargin()
        }
        return """
            |# Made by ./threadgauge dist.
            |class Threadgauge < Formula
            |  desc "Finds out which concurrency model fits a JVM server"
            |  homepage "${address.substringBefore("/releases/")}"
            |  url "$address${zip.name}"
            |  version "$version"
            |  sha256 "${sha256(zip)}"
            |  license "Apache-2.0"
            |
            |BLOCKS
            |
            |  depends_on "openjdk@25" unless PACKED
            |
            |  def install
            |    libexec.install Dir["*"]
            |    # A JDK that came along is taken by the launcher itself.
            |    env = (libexec/"runtime").exist? ? {} : { JAVA_HOME: Formula["openjdk@25"].opt_prefix }
            |    (bin/"threadgauge").write_env_script libexec/"threadgauge", env
            |  end
            |
            |  test do
            |    assert_match version.to_s, shell_output("#{bin}/threadgauge --version")
            |  end
            |end
            |
        """.trimMargin().replace("BLOCKS", blocks.ifEmpty { "  # No archive with a JDK was made." })
            .replace("PACKED", archives.keys.map(::packed).ifEmpty { listOf("false") }.sorted().joinToString(" || "))
    }

    /** For JBang: one script, which fetches the zip. */
    fun jbangCatalog(): String = """
        {
          "catalogs": {},
          "aliases": {
            "threadgauge": {
              "script-ref": "${address}$JBANG_SCRIPT",
              "description": "Finds out which concurrency model fits a JVM server",
              "java": "25+"
            }
          }
        }

    """.trimIndent()

    /** The script of the catalogue: [template] with address and checksum of the [zip]. */
    fun jbangScript(template: String, zip: Path): String = template.replace("@ADDRESS@", "$address${zip.name}")
        .replace("@SHA256@", sha256(zip)).replace("@VERSION@", version)

    private fun packed(platform: Platform): String {
        val (system, processor) = platform.name.split('-')
        val os = if (system == "linux") "OS.linux?" else "OS.mac?"
        return "($os && Hardware::CPU.${if (processor == "x64") "intel?" else "arm?"})"
    }

    companion object {
        const val JBANG_SCRIPT = "ThreadgaugeLauncher.java"
    }
}
