package threadgauge.server.ktor.tomcat

import io.ktor.server.engine.EngineConnectorConfig
import io.ktor.server.engine.EngineSSLConnectorConfig
import org.apache.catalina.connector.Connector
import org.apache.coyote.http2.Http2Protocol
import org.apache.tomcat.util.net.SSLHostConfig
import org.apache.tomcat.util.net.SSLHostConfigCertificate
import org.apache.tomcat.util.net.SSLHostConfigCertificate.Type

/** Tomcat's word for a place where Ktor is to serve, with TLS where Ktor was given a key. */
internal fun EngineConnectorConfig.connector(how: TomcatConfiguration): Connector = Connector().also {
    it.port = port
    it.setProperty("address", host)
    // A port in use must end the process; by itself Tomcat logs it and stays, serving nothing.
    it.throwOnFailure = true
    how.attributes.forEach { (name, value) -> check(it.setProperty(name, value)) { "Tomcat has no attribute $name that may be $value" } }
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
