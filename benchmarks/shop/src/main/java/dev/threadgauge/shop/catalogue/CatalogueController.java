package dev.threadgauge.shop.catalogue;

import java.util.List;
import org.springframework.http.HttpStatus;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/** What anybody may read: pages of the catalogue, and one product with its stock. */
@RestController
class CatalogueController {
    private static final int PAGE = 20;
    private final JdbcClient database;
    private final Slower slower;

    CatalogueController(JdbcClient database, Slower slower) {
        this.database = database;
        this.slower = slower;
    }

    record Item(long id, String name, int cents) {}

    record Page(int page, List<Item> items) {}

    record Product(long id, String name, String description, int cents, int units) {}

    /** Pages are counted from 1; a page after the last one is empty. */
    @GetMapping("/products")
    Page page(@RequestParam(defaultValue = "1") int page) {
        if (page < 1) throw new ResponseStatusException(HttpStatus.BAD_REQUEST, "page is counted from 1");
        slower.spin();
        return new Page(page, database
            .sql("SELECT id, name, cents FROM product WHERE id > ? ORDER BY id LIMIT ?")
            .param((long) (page - 1) * PAGE).param(PAGE)
            .query(Item.class).list());
    }

    @GetMapping("/products/{id}")
    Product product(@PathVariable long id) {
        return database
            .sql("SELECT id, name, description, cents, units FROM product JOIN stock ON stock.product = id WHERE id = ?")
            .param(id)
            .query(Product.class).optional()
            .orElseThrow(() -> new ResponseStatusException(HttpStatus.NOT_FOUND, "no product " + id));
    }
}
