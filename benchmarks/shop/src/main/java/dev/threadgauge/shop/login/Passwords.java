package dev.threadgauge.shop.login;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

/**
 * Salted hashes of passwords, as "salt:hash". They take about a millisecond, a hundredth of what a real shop should
 * spend: otherwise the login would be most of what is measured.
 */
public final class Passwords {
    private static final int ITERATIONS = 2_000;
    private static final int BITS = 256;
    private static final SecureRandom RANDOM = new SecureRandom();

    private Passwords() {}

    public static String hash(String password) {
        byte[] salt = new byte[16];
        RANDOM.nextBytes(salt);
        return HexFormat.of().formatHex(salt) + ":" + HexFormat.of().formatHex(derive(password, salt));
    }

    static boolean matches(String password, String hash) {
        String[] parts = hash.split(":");
        byte[] expected = HexFormat.of().parseHex(parts[1]);
        return MessageDigest.isEqual(expected, derive(password, HexFormat.of().parseHex(parts[0])));
    }

    private static byte[] derive(String password, byte[] salt) {
        try {
            return SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256")
                .generateSecret(new PBEKeySpec(password.toCharArray(), salt, ITERATIONS, BITS)).getEncoded();
        } catch (GeneralSecurityException missing) {
            throw new IllegalStateException("every Java has PBKDF2", missing);
        }
    }
}
