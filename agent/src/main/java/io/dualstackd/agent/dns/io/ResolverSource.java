package io.dualstackd.agent.dns.io;

import io.dualstackd.agent.config.DnsSettings;
import io.dualstackd.dns.forward.Nameserver;
import io.dualstackd.dns.forward.ResolvConf;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpPort;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** The resolvers for other names, as the settings or a file say. Used by one thread. */
final class ResolverSource {
    /** How often the file is read. */
    static final Duration EVERY = Duration.ofSeconds(10);

    /** No such file is larger. */
    private static final int MOST_BYTES = 64 << 10;

    private final DnsSettings.Upstream upstream;
    private List<Nameserver> last = List.of();

    ResolverSource(DnsSettings.Upstream upstream) {
        this.upstream = upstream;
    }

    /**
     * Returns the resolvers as they are now. A file that cannot be read leaves the last ones.
     *
     * @param own cluster IPs of this server, which must not ask itself
     * @param open addresses on which it receives questions
     * @param notes receives what is wrong, in sentences
     */
    List<Nameserver> read(List<Ip> own, List<IpPort> open, List<String> notes) {
        List<Nameserver> all = switch (upstream) {
            case DnsSettings.Upstream.None() -> List.of();
            case DnsSettings.Upstream.Resolvers(List<Nameserver> given) -> given;
            case DnsSettings.Upstream.ResolvConfFile(String path) -> ofFile(Path.of(path), notes);
        };
        last = all;
        List<Nameserver> others = all.stream()
                .filter(server ->
                        !own.contains(server.address()) && !open.contains(new IpPort(server.address(), server.port())))
                .toList();
        if (others.size() < all.size()) {
            notes.add("a resolver for other names is this server itself, and is left out: " + all);
        }
        if (others.isEmpty() && !(upstream instanceof DnsSettings.Upstream.None)) {
            notes.add("names outside of the domain are refused: "
                    + (upstream instanceof DnsSettings.Upstream.ResolvConfFile(String path) ? path : "--dns-upstream")
                    + " names no resolver" + (all.isEmpty() ? "" : " but this server"));
        }
        return others;
    }

    private List<Nameserver> ofFile(Path path, List<String> notes) {
        try {
            ResolvConf conf = ResolvConf.parse(text(path));
            conf.problems().forEach(problem -> notes.add(path + ": " + problem));
            return conf.nameservers();
        } catch (IOException e) {
            notes.add("the resolvers for other names cannot be read: " + e);
            return last;
        }
    }

    /** Comments may be in any encoding. */
    private static String text(Path path) throws IOException {
        try (InputStream in = Files.newInputStream(path)) {
            byte[] bytes = in.readNBytes(MOST_BYTES + 1);
            if (bytes.length > MOST_BYTES) {
                throw new IOException(path + " has more than " + MOST_BYTES + " bytes");
            }
            return new String(bytes, StandardCharsets.ISO_8859_1);
        }
    }
}
