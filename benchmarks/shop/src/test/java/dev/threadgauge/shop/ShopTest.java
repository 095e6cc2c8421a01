package dev.threadgauge.shop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Two copies of the shop on one PostgreSQL, as the experiment has them, asked over HTTP. */
class ShopTest {
    private static final HttpClient CLIENT = HttpClient.newHttpClient();
    private static EmbeddedPostgres postgres;
    private static List<ConfigurableApplicationContext> copies;

    record Answer(int status, String body, String cookie) {
        long id() {
            var found = Pattern.compile("\"id\":(\\d+)").matcher(body);
            assertTrue(found.find(), body);
            return Long.parseLong(found.group(1));
        }
    }

    @BeforeAll
    static void start() throws Exception {
        postgres = EmbeddedPostgres.start();
        Callable<ConfigurableApplicationContext> copy = () -> SpringApplication.run(
            ShopApplication.class, "--server.port=0", "--server.address=127.0.0.1",
            "--spring.datasource.url=" + postgres.getJdbcUrl("postgres", "postgres"));
        copies = together(List.of(copy, copy));
    }

    @AfterAll
    static void stop() throws IOException {
        if (copies != null) copies.forEach(ConfigurableApplicationContext::close);
        postgres.close();
    }

    @Test
    @DisplayName("a customer logs in, fills a cart and pays it once")
    void buys() throws Exception {
        String cookie = login();
        long cart = ask("POST", "/carts", "", cookie).id();
        assertEquals(201, add(cart, 3, 2, cookie).status());
        Answer paid = ask("POST", "/carts/" + cart + "/pay", "", cookie);
        assertEquals(200, paid.status());
        assertEquals("{\"id\":" + cart + ",\"state\":\"PAID\",\"cents\":242}", paid.body());
        assertEquals(409, ask("POST", "/carts/" + cart + "/pay", "", cookie).status());
        assertEquals(409, add(cart, 4, 1, cookie).status());
    }

    @Test
    @DisplayName("nobody is served without a login, and no cart of another customer")
    void refuses() throws Exception {
        assertEquals(401, ask("POST", "/login", "name=customer1&password=wrong", null).status());
        assertEquals(401, ask("POST", "/carts", "", null).status());
        long cart = ask("POST", "/carts", "", login()).id();
        String other = ask("POST", "/login", "name=customer2&password=open-sesame", null).cookie();
        assertEquals(404, add(cart, 1, 1, other).status());
        assertEquals(404, ask("POST", "/carts/" + cart + "/pay", "", other).status());
    }

    @Test
    @DisplayName("a page has twenty products, and each of them can be read")
    void browses() throws Exception {
        Answer page = ask("GET", "/products?page=250", null, null);
        assertEquals(20, page.body().split("\"name\"").length - 1);
        assertEquals(200, ask("GET", "/products/" + page.id(), null, null).status());
        assertEquals(404, ask("GET", "/products/5001", null, null).status());
        assertEquals(400, ask("GET", "/products?page=0", null, null).status());
    }

    @Test
    @DisplayName("no item is lost that many add to one cart at the same time")
    void losesNothing() throws Exception {
        String cookie = login();
        long cart = ask("POST", "/carts", "", cookie).id();
        List<Callable<Answer>> adds = new ArrayList<>();
        for (int at = 0; at < 200; at++) {
            int product = 1 + at % 4;
            adds.add(() -> add(cart, product, 1, cookie));
        }
        for (Answer answer : together(adds)) assertEquals(201, answer.status(), answer.body());
        assertEquals(200, units(cart));
    }

    @Test
    @DisplayName("what was answered with 201 is paid, and what came too late was refused")
    void paysWhatItPromised() throws Exception {
        String cookie = login();
        for (int round = 0; round < 20; round++) {
            long cart = ask("POST", "/carts", "", cookie).id();
            add(cart, 1, 1, cookie);
            List<Callable<Answer>> calls = new ArrayList<>();
            for (int at = 0; at < 8; at++) calls.add(() -> add(cart, 1, 1, cookie));
            calls.add(4, () -> ask("POST", "/carts/" + cart + "/pay", "", cookie));
            List<Answer> answers = together(calls);
            Answer paid = answers.remove(4);
            long promised = 1 + answers.stream().filter(answer -> answer.status() == 201).count();
            assertEquals(promised, units(cart));
            assertTrue(paid.body().contains("\"cents\":" + promised * 107), paid.body() + " for " + promised);
        }
    }

    @Test
    @DisplayName("payments of the same products in opposite order neither wait for each other nor oversell")
    void neverOversells() throws Exception {
        String cookie = login();
        database().sql("UPDATE stock SET units = 10 WHERE product IN (11, 12)").update();
        List<Callable<Answer>> payments = new ArrayList<>();
        for (int at = 0; at < 30; at++) {
            long cart = ask("POST", "/carts", "", cookie).id();
            add(cart, at % 2 == 0 ? 11 : 12, 1, cookie);
            add(cart, at % 2 == 0 ? 12 : 11, 1, cookie);
            payments.add(() -> ask("POST", "/carts/" + cart + "/pay", "", cookie));
        }
        List<Answer> answers = together(payments);
        assertEquals(10, answers.stream().filter(answer -> answer.status() == 200).count());
        assertEquals(20, answers.stream().filter(answer -> answer.status() == 409).count());
    }

    private static String login() throws Exception {
        return ask("POST", "/login", "name=customer1&password=open-sesame", null).cookie();
    }

    private static Answer add(long cart, long product, int units, String cookie) throws Exception {
        return ask("POST", "/carts/" + cart + "/items", "{\"product\":" + product + ",\"units\":" + units + "}", cookie);
    }

    /** Of the copies in turn, so that what they share is in the database. */
    private static Answer ask(String method, String path, String body, String cookie) throws Exception {
        var server = (WebServerApplicationContext) copies.get((int) (Math.random() * copies.size()));
        var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.getWebServer().getPort() + path))
            .method(method, body == null ? HttpRequest.BodyPublishers.noBody() : HttpRequest.BodyPublishers.ofString(body))
            .header("Content-Type", path.equals("/login") ? "application/x-www-form-urlencoded" : "application/json");
        if (cookie != null) request.header("Cookie", cookie);
        var answer = CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofString());
        String set = answer.headers().firstValue("Set-Cookie").map(each -> each.split(";")[0]).orElse(null);
        return new Answer(answer.statusCode(), answer.body(), set);
    }

    private static long units(long cart) {
        return database().sql("SELECT sum(units) FROM cart_item WHERE cart = ?").param(cart).query(Long.class).single();
    }

    private static JdbcClient database() {
        return copies.getFirst().getBean(JdbcClient.class);
    }

    private static <T> List<T> together(List<Callable<T>> calls) throws Exception {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<T> results = new ArrayList<>();
            for (Future<T> each : threads.invokeAll(calls)) results.add(each.get());
            return results;
        }
    }
}
