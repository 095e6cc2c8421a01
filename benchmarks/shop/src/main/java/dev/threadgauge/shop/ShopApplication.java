package dev.threadgauge.shop;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** A shop with a catalogue, a login and carts. Its address is SERVER_PORT, its database SPRING_DATASOURCE_URL. */
@SpringBootApplication
public class ShopApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(ShopApplication.class, arguments);
    }
}
