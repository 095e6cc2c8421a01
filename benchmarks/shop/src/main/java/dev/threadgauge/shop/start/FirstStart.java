package dev.threadgauge.shop.start;

import dev.threadgauge.shop.login.Passwords;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Creates tables, products and customers where they are missing, before the port opens. Two copies may start on one
 * database at the same time: the second waits for the first.
 */
@Component
class FirstStart implements InitializingBean {
    private static final int PRODUCTS = 5_000;
    private static final int CUSTOMERS = 500;
    private static final int UNITS = 1_000_000;
    /** What every customer of this shop has; there is nothing to protect here. */
    private static final String PASSWORD = "open-sesame";
    private static final long LOCK = 4_711;
    private final JdbcClient database;
    private final TransactionTemplate transaction;

    FirstStart(JdbcClient database, TransactionTemplate transaction) {
        this.database = database;
        this.transaction = transaction;
    }

    @Override
    public void afterPropertiesSet() {
        transaction.executeWithoutResult(_ -> {
            database.sql("SELECT pg_advisory_xact_lock(?)::text").param(LOCK).query(String.class).optional();
            if (database.sql("SELECT to_regclass('product') IS NOT NULL").query(Boolean.class).single()) return;
            createTables();
            fill();
        });
    }

    private void createTables() {
        execute("""
            CREATE TABLE product (
                id bigint PRIMARY KEY, name text NOT NULL, description text NOT NULL, cents integer NOT NULL)""");
        // Apart from the product, which is read far more often than it is sold.
        execute("""
            CREATE TABLE stock (
                product bigint PRIMARY KEY REFERENCES product, units integer NOT NULL CHECK (units >= 0))""");
        execute("""
            CREATE TABLE customer (
                id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text NOT NULL UNIQUE, password text NOT NULL)""");
        execute("CREATE TABLE session (token text PRIMARY KEY, customer bigint NOT NULL REFERENCES customer)");
        execute("""
            CREATE TABLE cart (
                id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, customer bigint NOT NULL REFERENCES customer,
                state text NOT NULL DEFAULT 'OPEN', cents bigint)""");
        execute("""
            CREATE TABLE cart_item (
                cart bigint REFERENCES cart, product bigint REFERENCES product, units integer NOT NULL,
                cents integer NOT NULL, PRIMARY KEY (cart, product))""");
    }

    private void fill() {
        database.sql("""
                INSERT INTO product SELECT n, 'Product ' || n, repeat('It is well made and lasts. ', 1 + n % 8), 100 + n * 7 % 9900
                FROM generate_series(1, ?) AS n""").param(PRODUCTS).update();
        database.sql("INSERT INTO stock SELECT id, ? FROM product").param(UNITS).update();
        String password = Passwords.hash(PASSWORD);
        database.sql("INSERT INTO customer (name, password) SELECT 'customer' || n, ? FROM generate_series(1, ?) AS n")
            .param(password).param(CUSTOMERS).update();
    }

    private void execute(String statement) {
        database.sql(statement).update();
    }
}
