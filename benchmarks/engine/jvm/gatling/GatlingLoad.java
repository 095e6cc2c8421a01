import static io.gatling.javaapi.core.CoreDsl.atOnceUsers;
import static io.gatling.javaapi.core.CoreDsl.constantUsersPerSec;
import static io.gatling.javaapi.core.CoreDsl.StringBody;
import static io.gatling.javaapi.core.CoreDsl.exec;
import static io.gatling.javaapi.core.CoreDsl.jsonPath;
import static io.gatling.javaapi.core.CoreDsl.scenario;
import static io.gatling.javaapi.http.HttpDsl.header;
import static io.gatling.javaapi.http.HttpDsl.http;
import static io.gatling.javaapi.http.HttpDsl.status;

import io.gatling.javaapi.core.ChainBuilder;
import io.gatling.javaapi.core.Simulation;
import java.time.Duration;

/**
 * The load of the benchmark for Gatling, by system properties: url, seconds, and either users (closed) or rate (open).
 * With "shared" set, connections are shared by all users, as a pool; otherwise each user has one of its own. With "steps" set,
 * each pass is a cart, an item and a payment.
 */
public class GatlingLoad extends Simulation {
    public GatlingLoad() {
        var length = Duration.ofSeconds(Long.getLong("seconds"));
        var protocol = http.baseUrl(System.getProperty("url")).disableWarmUp().disableCaching();
        if (Boolean.getBoolean("shared")) protocol = protocol.shareConnections();
        var request = http("hello").get("/hello");
        if (Integer.getInteger("users") != null) {
            var users = scenario("closed").during(length).on(Boolean.getBoolean("steps") ? buy() : exec(request));
            setUp(users.injectOpen(atOnceUsers(Integer.getInteger("users")))).protocols(protocol);
        } else {
            var arrivals = scenario("open").exec(request);
            setUp(arrivals.injectOpen(constantUsersPerSec(Integer.getInteger("rate")).during(length))).protocols(protocol);
        }
    }

    private static ChainBuilder buy() {
        var body = StringBody("{\"item\": 7}");
        return exec(
            http("carts").post("/carts").body(body).check(
                status().is(201), jsonPath("$.id").saveAs("cart"), header("X-Token").saveAs("token")),
            http("items").post("/carts/#{cart}/items").header("X-Token", "#{token}").body(body),
            http("pay").post("/carts/#{cart}/pay").header("X-Token", "#{token}").body(body).check(jsonPath("$.state").is("PAID")));
    }
}
