package io.dualstackd.kubeapi.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.interfaces.ECPrivateKey;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Private keys as they are found in kubeconfigs. */
final class PemKeyTest {

    @ParameterizedTest
    @ValueSource(strings = {"secp256r1", "secp384r1"})
    void sec1(String curve) throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec(curve));
        KeyPair pair = generator.generateKeyPair();
        byte[] pkcs8 = pair.getPrivate().getEncoded();

        // The last octet string of PKCS#8 is SEC 1 without the curve; OpenSSL writes it with.
        byte[] sec1 = withCurve(pkcs8);
        PemKey key = PemKey.read(
                "-----BEGIN EC PARAMETERS-----\nBgUr\n-----END EC PARAMETERS-----\n" + pem("EC PRIVATE KEY", sec1));

        assertThat(key.algorithm()).isEqualTo("EC");
        ECPrivateKey read =
                (ECPrivateKey) KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(key.pkcs8()));
        assertThat(read.getS()).isEqualTo(((ECPrivateKey) pair.getPrivate()).getS());
    }

    @Test
    void pkcs8IsTakenAsItIs() throws Exception {
        byte[] pkcs8 = KeyPairGenerator.getInstance("Ed25519")
                .generateKeyPair()
                .getPrivate()
                .getEncoded();

        PemKey key = PemKey.read(pem("PRIVATE KEY", pkcs8));

        assertThat(key.algorithm()).isEqualTo("Ed25519");
        assertThat(key.pkcs8()).isEqualTo(pkcs8);
        assertThat(key.toString()).isEqualTo("Ed25519 key");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----",
                "-----BEGIN ENCRYPTED PRIVATE KEY-----\nAA==\n-----END ENCRYPTED PRIVATE KEY-----",
                "-----BEGIN DSA PRIVATE KEY-----\nAA==\n-----END DSA PRIVATE KEY-----",
                "-----BEGIN PRIVATE KEY-----\nAA==\n-----END PRIVATE KEY-----",
                "-----BEGIN EC PRIVATE KEY-----\nMAMCAQE=\n-----END EC PRIVATE KEY-----",
                "-----BEGIN PRIVATE KEY-----",
            })
    void anythingElseIsRefused(String text) {
        assertThatThrownBy(() -> PemKey.read(text)).isInstanceOf(IllegalArgumentException.class);
    }

    private static String pem(String label, byte[] der) {
        return "-----BEGIN " + label + "-----\n"
                + new String(Base64.getMimeEncoder().encode(der), StandardCharsets.US_ASCII) + "\n-----END " + label
                + "-----\n";
    }

    /** {@code SEQUENCE {1, OCTET STRING key, [0] curve}} out of what Java writes. */
    private static byte[] withCurve(byte[] pkcs8) {
        int ec = 0;
        while (pkcs8[ec] != 6) {
            ec++;
        }
        int curveAt = ec + 2 + pkcs8[ec + 1];
        byte[] curve = Arrays.copyOfRange(pkcs8, curveAt, curveAt + 2 + pkcs8[curveAt + 1]);
        int octets = curveAt + curve.length;
        int inner = octets + 2;
        byte[] bare = Arrays.copyOfRange(pkcs8, inner, pkcs8.length);
        int keyLength = bare[6];
        byte[] key = Arrays.copyOfRange(bare, 5, 7 + keyLength);
        byte[] body = new byte[3 + key.length + 2 + curve.length];
        body[0] = 2;
        body[1] = 1;
        body[2] = 1;
        System.arraycopy(key, 0, body, 3, key.length);
        body[3 + key.length] = (byte) 0xa0;
        body[4 + key.length] = (byte) curve.length;
        System.arraycopy(curve, 0, body, 5 + key.length, curve.length);
        byte[] sequence = new byte[2 + body.length];
        sequence[0] = 0x30;
        sequence[1] = (byte) body.length;
        System.arraycopy(body, 0, sequence, 2, body.length);
        return sequence;
    }
}
