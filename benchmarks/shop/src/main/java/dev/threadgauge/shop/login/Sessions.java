package dev.threadgauge.shop.login;

import java.security.SecureRandom;
import java.util.HexFormat;
import org.springframework.http.HttpStatus;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ResponseStatusException;

/** Who is logged in. In the database, so that any copy of the shop knows a session. */
@Component
public class Sessions {
    public static final String COOKIE = "shop_session";
    private static final SecureRandom RANDOM = new SecureRandom();
    private final JdbcClient database;

    Sessions(JdbcClient database) {
        this.database = database;
    }

    /** The token of a new session, or 401 where name and password do not fit. */
    String begin(String name, String password) {
        record Customer(long id, String password) {}
        Customer customer = database.sql("SELECT id, password FROM customer WHERE name = ?").param(name)
            .query(Customer.class).optional()
            .filter(each -> Passwords.matches(password, each.password()))
            .orElseThrow(() -> new ResponseStatusException(HttpStatus.UNAUTHORIZED, "name or password is wrong"));
        byte[] random = new byte[16];
        RANDOM.nextBytes(random);
        String token = HexFormat.of().formatHex(random);
        database.sql("INSERT INTO session (token, customer) VALUES (?, ?)").param(token).param(customer.id()).update();
        return token;
    }

    /** The customer of a session, or 401 where there is none. */
    public long customerOf(String token) {
        return database.sql("SELECT customer FROM session WHERE token = ?").param(token)
            .query(Long.class).optional()
            .orElseThrow(() -> new ResponseStatusException(HttpStatus.UNAUTHORIZED, "log in first"));
    }
}
