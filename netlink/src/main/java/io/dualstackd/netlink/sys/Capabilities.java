package io.dualstackd.netlink.sys;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The capabilities of a thread.
 *
 * @param effective bit n set: capability number n ({@code linux/capability.h}) is in force
 */
public record Capabilities(long effective) {
    /** Allows changing links, routes and rules of the own network namespace. */
    public static final Capability NET_ADMIN = new Capability(12, "CAP_NET_ADMIN");
    /** Allows creating and entering network namespaces. */
    public static final Capability SYS_ADMIN = new Capability(21, "CAP_SYS_ADMIN");

    /** One capability: its number, and the name that administrators know. */
    public record Capability(int number, String name) {}

    /** Returns the capabilities of the calling thread. */
    public static Capabilities current() throws IOException {
        return parse(Files.readString(Path.of("/proc/thread-self/status"), StandardCharsets.UTF_8));
    }

    /**
     * Reads the {@code CapEff} line of a {@code /proc/PID/status} file.
     *
     * @throws IOException when there is no such line
     */
    public static Capabilities parse(String status) throws IOException {
        String prefix = "CapEff:";
        String line = status.lines()
                .filter(l -> l.startsWith(prefix))
                .findFirst()
                .orElseThrow(() -> new IOException("no CapEff line in the status of this process"));
        try {
            return new Capabilities(
                    Long.parseUnsignedLong(line.substring(prefix.length()).strip(), 16));
        } catch (NumberFormatException e) {
            throw new IOException("cannot read \"" + line + "\"", e);
        }
    }

    public boolean has(Capability capability) {
        return (effective >>> capability.number() & 1) == 1;
    }
}
