package dev.threadgauge.shop.login;

import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseCookie;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The form of the login; its answer sets the cookie of the session. */
@RestController
class LoginController {
    private final Sessions sessions;

    LoginController(Sessions sessions) {
        this.sessions = sessions;
    }

    record Welcome(String name) {}

    @PostMapping("/login")
    ResponseEntity<Welcome> login(@RequestParam String name, @RequestParam String password) {
        ResponseCookie cookie = ResponseCookie.from(Sessions.COOKIE, sessions.begin(name, password))
            .path("/").httpOnly(true).sameSite("Lax").build();
        return ResponseEntity.ok().header(HttpHeaders.SET_COOKIE, cookie.toString()).body(new Welcome(name));
    }
}
