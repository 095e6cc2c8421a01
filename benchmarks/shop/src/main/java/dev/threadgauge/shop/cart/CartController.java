package dev.threadgauge.shop.cart;

import dev.threadgauge.shop.login.Sessions;
import java.net.URI;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.CookieValue;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/** Carts of the customer whose session the cookie names. Those of others are not found. */
@RestController
@RequestMapping("/carts")
class CartController {
    private static final int MAX_UNITS = 1_000;
    private final Sessions sessions;
    private final Carts carts;

    CartController(Sessions sessions, Carts carts) {
        this.sessions = sessions;
        this.carts = carts;
    }

    record Created(long id) {}

    /** Without units it is one. */
    record Wanted(long product, Integer units) {
        int unitsOrOne() {
            return units == null ? 1 : units;
        }
    }

    record Added(long product, int units) {}

    @PostMapping
    ResponseEntity<Created> create(@CookieValue(name = Sessions.COOKIE, defaultValue = "") String session) {
        long id = carts.create(sessions.customerOf(session));
        return ResponseEntity.created(URI.create("/carts/" + id)).body(new Created(id));
    }

    @PostMapping("/{cart}/items")
    @ResponseStatus(HttpStatus.CREATED)
    Added add(
        @CookieValue(name = Sessions.COOKIE, defaultValue = "") String session,
        @PathVariable long cart,
        @RequestBody Wanted wanted
    ) {
        int units = wanted.unitsOrOne();
        if (units < 1 || units > MAX_UNITS) {
            throw new ResponseStatusException(HttpStatus.BAD_REQUEST, "units are from 1 to " + MAX_UNITS);
        }
        return new Added(wanted.product(), carts.add(sessions.customerOf(session), cart, wanted.product(), units));
    }

    @PostMapping("/{cart}/pay")
    Carts.Paid pay(
        @CookieValue(name = Sessions.COOKIE, defaultValue = "") String session,
        @PathVariable long cart
    ) {
        return carts.pay(sessions.customerOf(session), cart);
    }
}
