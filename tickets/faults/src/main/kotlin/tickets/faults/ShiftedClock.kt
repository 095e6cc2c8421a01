package threadgauge.tickets.faults

import java.lang.classfile.ClassFile
import java.lang.classfile.ClassModel
import java.lang.classfile.ClassTransform
import java.lang.classfile.constantpool.Utf8Entry
import java.lang.classfile.instruction.InvokeInstruction
import java.lang.classfile.instruction.ReturnInstruction
import java.lang.constant.ClassDesc
import java.lang.constant.ConstantDescs
import java.lang.constant.MethodTypeDesc
import java.lang.instrument.ClassFileTransformer
import java.lang.instrument.Instrumentation
import java.nio.file.Path
import java.security.ProtectionDomain
import java.time.Clock
import java.time.Duration
import java.util.Date
import java.util.jar.Attributes
import java.util.jar.JarEntry
import java.util.jar.JarOutputStream
import java.util.jar.Manifest
import kotlin.io.path.exists
import kotlin.io.path.outputStream

/**
 * Makes a JVM take the time of day for earlier or later than it is, as on a machine whose clock is wrong: wherever it asks for it, in its
 * own code, in that of libraries and by way of `java.time`. What durations are measured by (`System.nanoTime`) stays right, as it does
 * there.
 *
 * An agent of the JVM, so it runs in the service, from a jar of its own; see the package `java.lang.instrument`.
 */
internal object ShiftedClock {
    /** What a JVM has to be started with for a clock that is so far [clockOffset], from a jar that is written into [folder]. */
    fun option(clockOffset: Duration, folder: Path): String {
        val jar = folder.resolve("shifted-clock.jar")
        if (!jar.exists()) write(jar)
        return "-javaagent:$jar=${clockOffset.toMillis()}"
    }

    private fun write(jar: Path) {
        val manifest = Manifest()
        manifest.mainAttributes[Attributes.Name.MANIFEST_VERSION] = "1.0"
        manifest.mainAttributes.putValue("Premain-Class", ShiftedClock::class.java.name)
        manifest.mainAttributes.putValue("Can-Retransform-Classes", "true")
        JarOutputStream(jar.outputStream(), manifest).use { out ->
            for (type in listOf(ShiftedClock::class.java, Shift::class.java) + Shift::class.java.declaredClasses) {
                val name = type.name.replace('.', '/') + ".class"
                out.putNextEntry(JarEntry(name))
                type.classLoader.getResourceAsStream(name)!!.use { it.copyTo(out) }
            }
        }
    }

    /** Called by the JVM before the service's own `main`. */
    @JvmStatic
    fun premain(offsetMillis: String, jvm: Instrumentation) {
        jvm.addTransformer(Shift(offsetMillis.toLong()), true)
        // Those that ask for the time and are there before any agent.
        jvm.retransformClasses(Clock::class.java, Class.forName("${Clock::class.java.name}\$SystemClock"), Date::class.java)
    }
}

/** Adds [millis] to the time of day wherever a class asks the JVM for it. */
internal class Shift(private val millis: Long) : ClassFileTransformer {
    override fun transform(
        loader: ClassLoader?,
        className: String?,
        classBeingRedefined: Class<*>?,
        protectionDomain: ProtectionDomain?,
        classfileBuffer: ByteArray,
    ): ByteArray? = try {
        val file = ClassFile.of()
        val model = file.parse(classfileBuffer)
        val transform = if (className == CLOCK) ofInstants() else ofCalls().takeIf { model.asksForTime() }
        transform?.let { file.transformClass(model, it) }
    } catch (failure: Throwable) {
        // The JVM would go on with the class as it was, and with a clock that is right.
        System.getLogger(Shift::class.java.name).log(System.Logger.Level.ERROR, "the clock of $className could not be shifted", failure)
        Runtime.getRuntime().halt(HALTED)
        null
    }

    private fun ClassModel.asksForTime() = constantPool().any { it is Utf8Entry && it.equalsString(CURRENT_TIME_MILLIS) }

    private fun ofCalls() = ClassTransform.transformingMethodBodies { code, element ->
        code.with(element)
        val isCall = element is InvokeInstruction && element.name().equalsString(CURRENT_TIME_MILLIS)
        if (isCall && element.owner().asInternalName() == SYSTEM) {
            code.loadConstant(millis).ladd()
        }
    }

    /** An instant is more exact than milliseconds, and is made in one place. */
    private fun ofInstants() = ClassTransform.transformingMethodBodies({ it.methodName().equalsString(MAKER) }) { code, element ->
        if (element is ReturnInstruction) {
            code.loadConstant(millis).invokevirtual(INSTANT, "plusMillis", MethodTypeDesc.of(INSTANT, ConstantDescs.CD_long))
        }
        code.with(element)
    }

    private companion object {
        const val CLOCK = "java/time/Clock"
        const val SYSTEM = "java/lang/System"
        const val CURRENT_TIME_MILLIS = "currentTimeMillis"

        /** In `java.time.Clock`, every instant that is the present comes from it. */
        const val MAKER = "currentInstant"
        const val HALTED = 70
        val INSTANT: ClassDesc = ClassDesc.of("java.time.Instant")
    }
}
