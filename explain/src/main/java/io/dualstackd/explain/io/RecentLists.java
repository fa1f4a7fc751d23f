package io.dualstackd.explain.io;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.sys.NetNs;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;

/**
 * The lists of clients that iptables mode keeps for session affinity ({@code xt_recent}), one for each endpoint. The kernel reports
 * when a client was put on a list in its own ticks, which cannot be converted to a time, so a client whose time is over counts until
 * its next connection.
 */
public final class RecentLists {
    // Not /proc/net, which shows the namespace of the process's first thread.
    private static final Path FOLDER = Path.of("/proc/thread-self/net/xt_recent");

    private RecentLists() {}

    /** Returns those of the named lists that hold a client. */
    public static Set<String> holding(NetNs ns, Ip client, Set<String> names) {
        Set<String> holding = new TreeSet<>(names);
        holding.removeIf(name -> !holds(ns, name, client));
        return holding;
    }

    private static boolean holds(NetNs ns, String name, Ip client) {
        try {
            String list = ns.call(() -> Files.readString(FOLDER.resolve(name), StandardCharsets.US_ASCII));
            return list.lines().anyMatch(line -> isOf(line, client));
        } catch (IOException e) {
            // The list is created together with the first rule that names it.
            return false;
        } catch (Exception e) {
            throw new IllegalStateException("nothing else is thrown in there", e);
        }
    }

    /** {@code src=192.0.2.1 ttl: 64 last_seen: 4295 oldest_pkt: 1 4295}. */
    private static boolean isOf(String line, Ip client) {
        int end = line.indexOf(' ');
        return line.startsWith("src=")
                && end > 0
                && Ip.parse(line.substring("src=".length(), end)).equals(client);
    }
}
