package threadgauge.server.ktor.tomcat

import io.ktor.server.engine.EngineConnectorConfig
import io.ktor.server.engine.EngineSSLConnectorConfig
import org.apache.catalina.connector.Connector
import org.apache.coyote.http2.Http2Protocol
import org.apache.tomcat.util.net.SSLHostConfig
import org.apache.tomcat.util.net.SSLHostConfigCertificate
import org.apache.tomcat.util.net.SSLHostConfigCertificate.Type

/** Converts a connector of Ktor to one of Tomcat, with TLS where Ktor has a key. */
internal fun EngineConnectorConfig.connector(how: TomcatConfiguration): Connector = Connector().also {
    it.port = port
    it.setProperty("address", host)
    // A port in use must end the process. By default Tomcat logs it and keeps running without serving.
    it.throwOnFailure = true
    how.attributes.forEach { (name, value) ->
        check(it.setProperty(name, value)) { "Tomcat has no attribute $name that accepts $value" }
    }
    if (this is EngineSSLConnectorConfig) it.encrypt(this, how.enableHttp2)
}

private fun Connector.encrypt(place: EngineSSLConnectorConfig, http2: Boolean) {
    secure = true
    scheme = "https"
    setProperty("SSLEnabled", "true")
    val host = SSLHostConfig()
    host.addCertificate(
        SSLHostConfigCertificate(host, Type.UNDEFINED).apply {
            certificateKeystore = place.keyStore
            certificateKeyAlias = place.keyAlias
            setCertificateKeystorePassword(String(place.keyStorePassword()))
            certificateKeyPassword = String(place.privateKeyPassword())
        },
    )
    addSslHostConfig(host)
    if (http2) addUpgradeProtocol(Http2Protocol())
}
