package io.dualstackd.kubeapi.access;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;

/**
 * A private key from PEM, converted to the only form that Java reads: PKCS#8. Keys in kubeconfigs are mostly in older forms: PKCS#1 for RSA
 * (RFC 8017, A.1.2), SEC 1 for elliptic curves (RFC 5915).
 */
public final class PemKey {
    private static final byte[] RSA = HexFormat.of().parseHex("06092a864886f70d010101");
    private static final byte[] EC = HexFormat.of().parseHex("06072a8648ce3d0201");
    private static final byte[] ED25519 = HexFormat.of().parseHex("06032b6570");
    private static final byte[] NULL = {5, 0};
    private static final byte[] VERSION = {2, 1, 0};
    private static final int SEQUENCE = 0x30;
    private static final int OCTETS = 0x04;
    private static final int CURVE = 0xa0;
    private static final String BEGIN = "-----BEGIN ";

    private final String algorithm;
    private final byte[] pkcs8;

    private PemKey(String algorithm, byte[] pkcs8) {
        this.algorithm = algorithm;
        this.pkcs8 = pkcs8;
    }

    /** {@code RSA}, {@code EC} or {@code Ed25519}. */
    public String algorithm() {
        return algorithm;
    }

    /** DER of RFC 5208; secret. */
    public byte[] pkcs8() {
        return pkcs8.clone();
    }

    /**
     * Reads the first private key of a text; what precedes it (parameters of a curve, remarks) is skipped.
     *
     * @throws IllegalArgumentException if there is none, or if it is encrypted or of an unsupported form
     */
    public static PemKey read(String pem) {
        for (int at = pem.indexOf(BEGIN); at >= 0; at = pem.indexOf(BEGIN, at + 1)) {
            int endOfLabel = pem.indexOf("-----", at + BEGIN.length());
            if (endOfLabel < 0) {
                break;
            }
            String label = pem.substring(at + BEGIN.length(), endOfLabel);
            int end = pem.indexOf("-----END " + label, endOfLabel);
            if (label.endsWith("PRIVATE KEY") && end > 0) {
                return of(label, pem.substring(endOfLabel + 5, end));
            }
        }
        throw new IllegalArgumentException("there is no \"-----BEGIN … PRIVATE KEY-----\"");
    }

    private static PemKey of(String label, String body) {
        if (label.startsWith("ENCRYPTED") || body.contains("ENCRYPTED")) {
            throw new IllegalArgumentException("it is encrypted; a key without a password is needed");
        }
        byte[] der = Base64.getMimeDecoder().decode(body);
        return switch (label) {
            case "PRIVATE KEY" -> new PemKey(algorithm(der), der);
            case "RSA PRIVATE KEY" -> new PemKey("RSA", wrap(RSA, NULL, der));
            case "EC PRIVATE KEY" -> new PemKey("EC", wrap(EC, curve(der), der));
            default ->
                throw new IllegalArgumentException(
                        "\"" + label + "\" is not supported; PRIVATE KEY, RSA PRIVATE KEY and EC PRIVATE KEY are");
        };
    }

    private static byte[] wrap(byte[] algorithm, byte[] parameters, byte[] key) {
        return element(
                SEQUENCE,
                List.of(VERSION, element(SEQUENCE, List.of(algorithm, parameters)), element(OCTETS, List.of(key))));
    }

    private static byte[] element(int tag, List<byte[]> parts) {
        int length = parts.stream().mapToInt(part -> part.length).sum();
        ByteArrayOutputStream out = new ByteArrayOutputStream(length + 6);
        out.write(tag);
        if (length < 0x80) {
            out.write(length);
        } else if (length < 0x100) {
            out.write(0x81);
            out.write(length);
        } else {
            out.write(0x82);
            out.write(length >> 8);
            out.write(length);
        }
        parts.forEach(out::writeBytes);
        return out.toByteArray();
    }

    private static String algorithm(byte[] pkcs8) {
        byte[] start = Arrays.copyOf(pkcs8, Math.min(pkcs8.length, 32));
        if (holds(start, RSA)) {
            return "RSA";
        }
        if (holds(start, EC)) {
            return "EC";
        }
        if (holds(start, ED25519)) {
            return "Ed25519";
        }
        throw new IllegalArgumentException("it is neither RSA nor of an elliptic curve");
    }

    private static boolean holds(byte[] bytes, byte[] part) {
        for (int at = 0; at + part.length <= bytes.length; at++) {
            if (Arrays.equals(bytes, at, at + part.length, part, 0, part.length)) {
                return true;
            }
        }
        return false;
    }

    /** Returns the name of the curve inside {@code SEQUENCE { 1, OCTET STRING, [0] OID, [1] … }}. */
    private static byte[] curve(byte[] sec1) {
        int at = sec1.length > 1 && (sec1[1] & 0xff) > 0x80 ? 2 + (sec1[1] & 0x7f) : 2;
        while (at + 2 <= sec1.length) {
            int tag = sec1[at] & 0xff;
            int length = sec1[at + 1] & 0xff;
            int from = at + 2;
            if (length == 0x81 && from < sec1.length) {
                length = sec1[from] & 0xff;
                from++;
            }
            if (tag == CURVE && from + length <= sec1.length) {
                return Arrays.copyOfRange(sec1, from, from + length);
            }
            at = from + length;
        }
        throw new IllegalArgumentException("the key does not name its curve");
    }

    @Override
    public String toString() {
        return algorithm + " key";
    }
}
