package io.dualstackd.netlink.ipvs;

import io.dualstackd.netlink.wire.Bytes;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/** Tables of captured bytes: {@code WORDS = HEXADECIMAL}, {@code #} begins a comment. */
final class IpvsWire {
    private IpvsWire() {}

    static Map<String, Bytes> table(String name) {
        try (InputStream in = Objects.requireNonNull(IpvsWire.class.getResourceAsStream("/ipvs/" + name), name)) {
            Map<String, Bytes> table = new LinkedHashMap<>();
            new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .forEach(line -> {
                        int equals = line.lastIndexOf(" = ");
                        table.put(line.substring(0, equals), Bytes.ofHex(line.substring(equals + 3)));
                    });
            return table;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
