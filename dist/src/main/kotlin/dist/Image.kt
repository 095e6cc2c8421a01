package threadgauge.dist

import java.io.FilterOutputStream
import java.io.OutputStream
import java.nio.file.Files
import java.nio.file.Path
import java.security.DigestOutputStream
import java.time.Instant
import java.util.zip.GZIPOutputStream
import kotlin.io.path.createDirectories
import kotlin.io.path.moveTo
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonObjectBuilder
import kotlinx.serialization.json.add
import kotlinx.serialization.json.addJsonObject
import kotlinx.serialization.json.buildJsonObject
import kotlinx.serialization.json.put
import kotlinx.serialization.json.putJsonArray
import kotlinx.serialization.json.putJsonObject

/**
 * Writes a container image as a tar in the OCI image layout (https://github.com/opencontainers/image-spec, version
 * 1.1), which `docker load`, `podman load`, `ctr image import` and `skopeo` read. Needs no daemon.
 */
internal class Image(private val platform: Platform, private val version: String, private val stamp: Instant) {
    /** [layers], each with a word about it, from the lowest. [work] is an empty folder for parts. */
    fun write(file: Path, layers: List<Pair<String, List<Entry>>>, work: Path) {
        val blobs = work.resolve("blobs/sha256").createDirectories()
        val packed = layers.map { (what, entries) -> layer(what, entries, blobs) }
        val config = blobs.add(config(packed))
        val manifest = blobs.add(
            buildJsonObject {
                put("schemaVersion", 2)
                put("mediaType", MANIFEST)
                putJsonObject("config") { describe(CONFIG, config) }
                putJsonArray("layers") { packed.forEach { addJsonObject { describe(LAYER, it.blob) } } }
            },
        )
        val index = buildJsonObject {
            put("schemaVersion", 2)
            put("mediaType", INDEX)
            putJsonArray("manifests") {
                addJsonObject {
                    describe(MANIFEST, manifest)
                    putJsonObject("platform") { os() }
                    putJsonObject("annotations") {
                        put("org.opencontainers.image.ref.name", version)
                        put("io.containerd.image.name", "docker.io/library/threadgauge:$version")
                    }
                }
            }
        }
        val entries = listOf(
            TextEntry("oci-layout", "{\"imageLayoutVersion\":\"1.0.0\"}"), TextEntry("index.json", "$index"),
        ) + (packed.map { it.blob } + config + manifest).map { FileEntry("blobs/sha256/${it.digest}", it.file) }
        Files.newOutputStream(file).buffered().use { writeTar(it, entries, stamp) }
    }

    private fun config(layers: List<Layer>): JsonObject = buildJsonObject {
        put("created", "$stamp")
        os()
        putJsonObject("config") {
            put("User", "$IMAGE_USER:$IMAGE_USER")
            putJsonArray("Env") {
                add("PATH=/opt/threadgauge:/usr/bin:/bin")
                add("HOME=/work")
                add("LANG=C.UTF-8")
            }
            putJsonArray("Entrypoint") { add("/opt/threadgauge/threadgauge") }
            put("WorkingDir", "/work")
            putJsonObject("Labels") {
                put("org.opencontainers.image.version", version)
                put("org.opencontainers.image.licenses", "Apache-2.0")
            }
        }
        putJsonObject("rootfs") {
            put("type", "layers")
            putJsonArray("diff_ids") { layers.forEach { add("sha256:${it.diffId}") } }
        }
        putJsonArray("history") {
            layers.forEach {
                addJsonObject {
                    put("created", "$stamp")
                    put("created_by", it.what)
                }
            }
        }
    }

    private fun JsonObjectBuilder.os() {
        put("architecture", platform.imageArchitecture)
        put("os", "linux")
    }

    private fun layer(what: String, entries: List<Entry>, blobs: Path): Layer {
        val part = blobs.resolve("part")
        val whole = newDigest()
        Files.newOutputStream(part).buffered().use { out ->
            GZIPOutputStream(out).use { writeTar(DigestOutputStream(Open(it), whole), entries, stamp) }
        }
        return Layer(what, Blob(sha256(part), part).moved(blobs), whole.hex())
    }

    private fun Path.add(json: JsonObject): Blob {
        val part = resolve("part").also { Files.writeString(it, "$json") }
        return Blob(sha256(part), part).moved(this)
    }
}

private class Layer(val what: String, val blob: Blob, val diffId: String)

private class Blob(val digest: String, val file: Path) {
    fun moved(folder: Path) = Blob(digest, file.moveTo(folder.resolve(digest)))
}

private fun JsonObjectBuilder.describe(type: String, blob: Blob) {
    put("mediaType", type)
    put("digest", "sha256:${blob.digest}")
    put("size", Files.size(blob.file))
}

/** Stays open when what is written to it is closed. */
private class Open(out: OutputStream) : FilterOutputStream(out) {
    override fun write(bytes: ByteArray, offset: Int, length: Int) = out.write(bytes, offset, length)

    override fun close() = flush()
}

private const val INDEX = "application/vnd.oci.image.index.v1+json"
private const val MANIFEST = "application/vnd.oci.image.manifest.v1+json"
private const val CONFIG = "application/vnd.oci.image.config.v1+json"
private const val LAYER = "application/vnd.oci.image.layer.v1.tar+gzip"
