package dev.threadgauge.shop.cart;

import java.util.List;
import org.springframework.http.HttpStatus;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.server.ResponseStatusException;

/**
 * Carts in the database. A cart that is being paid is locked, so an item is in it before or is refused after. Stock is
 * taken in the order of products, so that two payments cannot wait for each other.
 */
@Component
class Carts {
    private final JdbcClient database;

    Carts(JdbcClient database) {
        this.database = database;
    }

    record Line(long product, int units, int cents) {}

    record Paid(long id, String state, long cents) {}

    long create(long customer) {
        return database.sql("INSERT INTO cart (customer) VALUES (?) RETURNING id").param(customer)
            .query(Long.class).single();
    }

    /** Adds to what is there; returns how many units of the product are in the cart now. */
    @Transactional
    int add(long customer, long cart, long product, int units) {
        // Shared: many may add to a cart at the same time, but not while it is paid.
        demandOpen(customer, cart, "FOR SHARE");
        return database.sql("""
                INSERT INTO cart_item (cart, product, units, cents)
                SELECT ?, id, ?, cents FROM product WHERE id = ?
                ON CONFLICT (cart, product) DO UPDATE SET units = cart_item.units + excluded.units
                RETURNING units""")
            .param(cart).param(units).param(product)
            .query(Integer.class).optional()
            .orElseThrow(() -> new ResponseStatusException(HttpStatus.NOT_FOUND, "no product " + product));
    }

    /** All or nothing: 409 where the cart is empty, paid already, or a product of it is sold out. */
    @Transactional
    Paid pay(long customer, long cart) {
        demandOpen(customer, cart, "FOR UPDATE");
        List<Line> lines = database.sql("SELECT product, units, cents FROM cart_item WHERE cart = ? ORDER BY product")
            .param(cart).query(Line.class).list();
        if (lines.isEmpty()) throw new ResponseStatusException(HttpStatus.CONFLICT, "the cart is empty");
        for (Line line : lines) {
            int taken = database.sql("UPDATE stock SET units = units - ? WHERE product = ? AND units >= ?")
                .param(line.units()).param(line.product()).param(line.units()).update();
            if (taken == 0) throw new ResponseStatusException(HttpStatus.CONFLICT, line.product() + " is sold out");
        }
        long cents = lines.stream().mapToLong(line -> (long) line.units() * line.cents()).sum();
        database.sql("UPDATE cart SET state = 'PAID', cents = ? WHERE id = ?").param(cents).param(cart).update();
        return new Paid(cart, "PAID", cents);
    }

    private void demandOpen(long customer, long cart, String lock) {
        String state = database.sql("SELECT state FROM cart WHERE id = ? AND customer = ? " + lock)
            .param(cart).param(customer)
            .query(String.class).optional()
            .orElseThrow(() -> new ResponseStatusException(HttpStatus.NOT_FOUND, "no cart " + cart));
        if (!state.equals("OPEN")) throw new ResponseStatusException(HttpStatus.CONFLICT, "the cart is paid");
    }
}
