package threadgauge.experiment.target

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.maps.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.nio.file.Path
import kotlin.io.path.createDirectory
import kotlin.io.path.writeText
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import threadgauge.experiment.stack.StackCatalogue
import threadgauge.experiment.yaml.ExperimentMistakes
import threadgauge.experiment.yaml.render
import threadgauge.model.ConcurrencyModel
import threadgauge.model.Container
import threadgauge.model.Stack
import threadgauge.model.at

class TargetReaderTest {
    @TempDir
    lateinit var folder: Path

    private val shipped = Stack("ktor-netty", "Ktor", ConcurrencyModel.COROUTINES, "as shipped", listOf("{java}"), "/")

    @Test
    fun `a stack is known by its name`() {
        read("ktor-netty") shouldBe shipped
    }

    @Test
    fun `a jar is run by the Java of the bench, with or without arguments, also where its name has a blank`() {
        folder.resolve("Web Shop.jar").writeText("")
        folder.resolve("shop.jar").writeText("")
        read("Web Shop.jar").command shouldContainExactly listOf("{java}", "-jar", "$folder/Web Shop.jar")
        read("Web Shop.jar").name shouldBe "web-shop"
        val withArguments = read("shop.jar --port={port}")
        withArguments.command shouldContainExactly listOf("{java}", "-jar", "$folder/shop.jar", "--port={port}")
        withArguments.keepsContract shouldBe false
        withArguments.model shouldBe ConcurrencyModel.UNKNOWN
        mistake("chop.jar") shouldContain "there is no jar \"chop.jar\""
    }

    @Test
    fun `an image is named after its last part, and takes the port in its container`() {
        val stack = read("container:registry.example:5000/team/shop:1.4")
        listOf(stack.name, stack.title) shouldBe listOf("shop-1-4", "shop:1.4")
        stack.command.shouldBeEmpty()
        stack.container shouldBe Container("registry.example:5000/team/shop:1.4")
        stack.at(8080).run { listOf(port, container?.port) } shouldBe listOf(null, 8080)
        read("sh -c x").at(8080).run { listOf(port, container) } shouldBe listOf(8080, null)
        mistake("container:shop 1.4") shouldContain "\"shop 1.4\" is not the name of an image"
    }

    @Test
    fun `a command is taken as it stands, with the variables before it`() {
        val stack = read("A=1 EMPTY= B='two words' sh -c 'exec x' {port}")
        stack.environment shouldContainExactly mapOf("A" to "1", "EMPTY" to "", "B" to "two words")
        stack.command shouldContainExactly listOf("sh", "-c", "exec x", "{port}")
        stack.folder shouldBe folder.toString()
        mistake("A=1") shouldContain "starts nothing"
    }

    @Test
    fun `a program may be a file from here, if it can be run`() {
        val script = folder.resolve("start.sh").also { it.writeText("#!/bin/sh\n") }
        mistake("./start.sh") shouldContain "cannot be run\n    Make it executable: chmod +x ./start.sh"
        script.toFile().setExecutable(true)
        read("./start.sh now").command shouldContainExactly listOf(script.toString(), "now")
        read("./start.sh now").name shouldBe "start"
        folder.resolve("place").createDirectory()
        mistake("./place") shouldContain "is a folder"
    }

    @Test
    fun `what is nothing of all this is told with what was tried and the nearest name`() {
        val words = mistake("ktor-nety --x")
        words shouldContain "\"ktor-nety\" is no stack, no file in $folder and no program on the PATH"
        words shouldContain "Did you mean \"ktor-netty\"?"
        mistake("") shouldContain "nothing was named"
        mistake("sh -c 'x") shouldContain "never closed"
    }

    @Test
    fun `commands are called what people call them`() {
        for ((command, name) in mapOf(
            "java -Xmx1g -jar build/shop-1.2.jar" to "shop-1-2",
            "java -cp a.jar:b.jar com.acme.ShopMain --x" to "shopmain",
            "java Tiny.java" to "tiny",
            "{java} -version" to "java",
            "python3 -m http.server {port}" to "http-server",
            "env X=1 java -jar a.jar" to "env",
        )) {
            val isHere = command.substringBefore(' ') != "python3" || Path.of("/usr/bin/python3").toFile().exists()
            if (isHere) read(command).name shouldBe name
        }
    }

    @Test
    fun `a URL of this machine is taken, with its path`() {
        for (url in listOf(
            "http://localhost:8080", "http://127.0.0.9:8080/a?b=c", "https://[::1]:8443/", "http://localhost/",
        )) {
            read(url).url shouldBe url
        }
        // As servers print where they listen, and as people write it.
        mapOf(
            "HTTP://LOCALHOST:80/A" to "http://localhost:80/A", "http://0.0.0.0:8000" to "http://127.0.0.1:8000",
            "http://[::]:8000/x" to "http://[::1]:8000/x",
        ).forEach { (written, taken) -> read(written).url shouldBe taken }
        mistake("http://my_service:8080/") shouldContain "\"my_service\" is not this machine"
        readTarget("http://my_service:8080/", catalogue, mayLoad = setOf("my_service")).name shouldBe "my-service-8080"
        read("http://localhost:8080/x").name shouldBe "localhost-8080"
        pathOf("http://localhost:8080") shouldBe null
        pathOf("http://localhost:8080/") shouldBe null
        pathOf("http://localhost:8080?a=b") shouldBe "/?a=b"
        pathOf("http://localhost/a%20b?c") shouldBe "/a%20b?c"
    }

    @Test
    fun `another machine is loaded only by a user who says that they may`() {
        for (host in listOf(
            "example.com", "192.168.1.7", "localhost.example.com", "127.0.0.1.example.com", "[2001:db8::1]",
        )) {
            mistake("http://$host:8080/") shouldContain
                "is not this machine\n    If you may load that server, say so: --i-may-load "
        }
        readTarget("http://Example.com/", catalogue, folder, setOf("example.COM")).title shouldBe "example.com"
        mistake("http://example.com@localhost/") shouldContain "no user and password"
    }

    @Test
    fun `a URL that is none is told`() {
        mistake("ftp://localhost/") shouldContain "\"ftp\" cannot be spoken"
        mistake("http://") shouldContain "is not a URL"
        mistake("http:///x") shouldContain "names no host"
        mistake("http://localhost:0/") shouldContain "there is no port 0"
        mistake("http://localhost:8080/#top") shouldContain "never sent"
        mistake("http://localhost:8080/a b") shouldContain "is not a URL"
        mistake("localhost:8080/x") shouldContain "Write http://localhost:8080/x."
    }

    private val catalogue = StackCatalogue(listOf(shipped))

    private fun read(text: String) = readTarget(text, catalogue, folder)

    private fun mistake(text: String) = shouldThrow<ExperimentMistakes> { read(text) }.mistakes.single().render()
}
