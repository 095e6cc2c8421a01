import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;

/** A service for an image: answers every request with the variable SAYS, at the port SERVER_PORT or 8080. */
public class Contained {
    public static void main(String[] arguments) throws Exception {
        var port = System.getenv().getOrDefault("SERVER_PORT", "8080");
        var body = ("says " + System.getenv("SAYS")).getBytes();
        var server = HttpServer.create(new InetSocketAddress("0.0.0.0", Integer.parseInt(port)), 0);
        server.createContext("/", exchange -> {
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
    }
}
