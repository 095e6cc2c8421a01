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
 * Shifts the time of day in a JVM, as on a machine whose clock is wrong: in its own code, in libraries and in
 * `java.time`. Durations (`System.nanoTime`) stay right, as on such a machine.
 *
 * A Java agent in a jar of its own, so it runs in the service; see the package `java.lang.instrument`.
 */
internal object ShiftedClock {
    /** The JVM option for a clock shifted by [offset]. Writes the agent's jar into [folder]. */
    fun option(offset: Duration, folder: Path): String {
        val jar = folder.resolve("shifted-clock.jar")
        if (!jar.exists()) write(jar)
        return "-javaagent:$jar=${offset.toMillis()}"
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
        // Classes that read the time and are loaded before any agent.
        val systemClock = Class.forName("${Clock::class.java.name}\$SystemClock")
        jvm.retransformClasses(Clock::class.java, systemClock, Date::class.java)
    }
}

/** Adds [millis] to the time of day wherever a class reads it from the JVM. */
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
        val transform = if (className == CLOCK) shiftInstants() else shiftCalls().takeIf { model.readsTime() }
        transform?.let { file.transformClass(model, it) }
    } catch (failure: Throwable) {
        // Otherwise the JVM would keep the class unchanged, and the clock would be right.
        System.getLogger(Shift::class.java.name)
            .log(System.Logger.Level.ERROR, "the clock of $className could not be shifted", failure)
        Runtime.getRuntime().halt(HALTED)
        null
    }

    private fun ClassModel.readsTime() =
        constantPool().any { it is Utf8Entry && it.equalsString(CURRENT_TIME_MILLIS) }

    private fun shiftCalls() = ClassTransform.transformingMethodBodies { code, element ->
        code.with(element)
        val isCall = element is InvokeInstruction && element.name().equalsString(CURRENT_TIME_MILLIS)
        if (isCall && element.owner().asInternalName() == SYSTEM) {
            code.loadConstant(millis).ladd()
        }
    }

    /** Instants are more precise than milliseconds, and are all created in one method. */
    private fun shiftInstants() =
        ClassTransform.transformingMethodBodies({ it.methodName().equalsString(CURRENT_INSTANT) }) { code, element ->
            if (element is ReturnInstruction) {
                val type = MethodTypeDesc.of(INSTANT, ConstantDescs.CD_long)
                code.loadConstant(millis).invokevirtual(INSTANT, "plusMillis", type)
            }
            code.with(element)
        }

    private companion object {
        const val CLOCK = "java/time/Clock"
        const val SYSTEM = "java/lang/System"
        const val CURRENT_TIME_MILLIS = "currentTimeMillis"

        /** The method of `java.time.Clock` that creates every current instant. */
        const val CURRENT_INSTANT = "currentInstant"
        const val HALTED = 70
        val INSTANT: ClassDesc = ClassDesc.of("java.time.Instant")
    }
}
