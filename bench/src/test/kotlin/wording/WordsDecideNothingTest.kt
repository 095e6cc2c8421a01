package threadgauge.wording

import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe
import io.kotest.matchers.string.shouldContain
import java.lang.classfile.ClassFile
import java.lang.classfile.ClassTransform
import java.lang.classfile.CodeBuilder
import java.lang.classfile.CodeElement
import java.lang.classfile.instruction.ConstantInstruction
import java.lang.classfile.instruction.InvokeDynamicInstruction
import java.lang.constant.ConstantDesc
import java.lang.constant.DynamicCallSiteDesc
import java.util.function.Function
import kotlinx.serialization.json.Json
import org.junit.jupiter.api.Test
import threadgauge.judge.judge
import threadgauge.judge.recordOf
import threadgauge.model.Record
import threadgauge.model.judgement.Judgement
import threadgauge.wording.doubt.seen
import threadgauge.wording.verdict.answer
import threadgauge.wording.verdict.verdictWords

class WordsDecideNothingTest {
    /** Of three stacks, one of which leads, one stands at a ceiling and one fails too many requests. */
    private val record = Json.encodeToString(
        Record.serializer(),
        recordOf(
            mapOf(
                "fast" to listOf(10_000.0, 10_050.0, 9_960.0), "slow" to listOf(5_000.0, 5_100.0, 4_950.0),
                "odd" to listOf(9_000.0, 9_100.0, 3_000.0),
            ),
        ) { it.copy(cost = it.cost.copy(steal = 0.07)) },
    )

    @Test
    fun `with every sentence changed no decision changes`() {
        val (decisions, words) = judged(JudgedText::class.java.classLoader)
        val (sameDecisions, otherWords) = judged(ChangedSentences(JudgedText::class.java.classLoader))
        words shouldContain "highest throughput"
        otherWords shouldContain CHANGE
        otherWords shouldNotBe words
        sameDecisions shouldBe decisions
    }

    private fun judged(loader: ClassLoader): List<String> {
        val judge = loader.loadClass(JudgedText::class.java.name).getDeclaredConstructor().newInstance()
        @Suppress("UNCHECKED_CAST")
        return (judge as Function<String, List<String>>).apply(record)
    }
}

/** A record's text to its judgement's text, and to the words made of that. Loaded by two class loaders. */
internal class JudgedText : Function<String, List<String>> {
    override fun apply(record: String): List<String> {
        val judgement = judge(Json.decodeFromString(Record.serializer(), record))
        val doubts = judgement.doubts + judgement.situations.flatMap { it.cells }.flatMap { it.doubts }
        val words = judgement.answer + judgement.situations.map { it.verdictWords() } + doubts.map { it.seen }
        return listOf(Json.encodeToString(Judgement.serializer(), judgement), words.joinToString("\n"))
    }
}

/** Loads the project's classes anew, with a sign before every text of the wording. */
private class ChangedSentences(parent: ClassLoader) : ClassLoader(parent) {
    override fun loadClass(name: String, resolve: Boolean): Class<*> = synchronized(getClassLoadingLock(name)) {
        if (!name.startsWith("threadgauge.")) return super.loadClass(name, resolve)
        findLoadedClass(name) ?: bytesOf(name).let { defineClass(name, it, 0, it.size) }
    }

    private fun bytesOf(name: String): ByteArray {
        val resource = getResourceAsStream(name.replace('.', '/') + ".class") ?: throw ClassNotFoundException(name)
        val bytes = resource.use { it.readBytes() }
        if (!name.startsWith("threadgauge.wording.") || name == JudgedText::class.java.name) return bytes
        val file = ClassFile.of()
        return file.transformClass(file.parse(bytes), ClassTransform.transformingMethodBodies(::change))
    }

    private fun change(code: CodeBuilder, element: CodeElement) {
        when (element) {
            is ConstantInstruction.LoadConstantInstruction -> {
                val text: Any = element.constantValue()
                if (text is String) code.loadConstant(changed(text)) else code.with(element)
            }
            is InvokeDynamicInstruction -> code.invokedynamic(changed(element))
            else -> code.with(element)
        }
    }

    /** Concatenations hold their text in the arguments of their bootstrap method. */
    private fun changed(call: InvokeDynamicInstruction): DynamicCallSiteDesc {
        val arguments = call.bootstrapArgs()
            .map { argument -> (argument as Any).let { if (it is String) changed(it) else argument } }
        return DynamicCallSiteDesc.of(
            call.bootstrapMethod(), call.name()
                .stringValue(), call.typeSymbol(), *arguments.toTypedArray<ConstantDesc>(),
        )
    }
}

/** Kotlin does not know that a String is a ConstantDesc. */
private fun changed(text: String): ConstantDesc = (CHANGE + text as Any) as ConstantDesc

private const val CHANGE = "¤"
