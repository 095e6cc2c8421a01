import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;
import java.net.URI;

/**
 * A service for an image, at the port SERVER_PORT or 8080: answers every request with the variable SAYS, or with what
 * the service at ASKS says, a host and a port.
 */
public class Contained {
    public static void main(String[] arguments) throws Exception {
        var port = System.getenv().getOrDefault("SERVER_PORT", "8080");
        var asks = System.getenv("ASKS");
        var server = HttpServer.create(new InetSocketAddress("0.0.0.0", Integer.parseInt(port)), 0);
        server.createContext("/", exchange -> {
            var body = asks == null ? "says " + System.getenv("SAYS") : "hears " + heard(asks);
            exchange.sendResponseHeaders(200, body.length());
            exchange.getResponseBody().write(body.getBytes());
            exchange.close();
        });
        server.start();
    }

    private static String heard(String place) throws java.io.IOException {
        try (var answer = URI.create("http://" + place + "/").toURL().openStream()) {
            return new String(answer.readAllBytes());
        }
    }
}
