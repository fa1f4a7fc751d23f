package io.dualstackd.agent.dns.io;

import io.dualstackd.agent.config.DnsSettings;
import io.dualstackd.dns.forward.Nameserver;
import io.dualstackd.dns.forward.ResolvConf;
import io.dualstackd.netlink.ip.Ip;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** The resolvers for other names, as the settings or a file say. Used by one thread. */
final class ResolverSource {
    /** How often the file is read. */
    static final Duration EVERY = Duration.ofSeconds(10);

    private final DnsSettings.Upstream upstream;
    private List<Nameserver> last = List.of();

    ResolverSource(DnsSettings.Upstream upstream) {
        this.upstream = upstream;
    }

    /**
     * Returns the resolvers as they are now. A file that cannot be read leaves the last ones.
     *
     * @param own cluster IPs of this server, which must not ask itself
     * @param notes receives what is wrong, in sentences
     */
    List<Nameserver> read(List<Ip> own, List<String> notes) {
        List<Nameserver> all = switch (upstream) {
            case DnsSettings.Upstream.None() -> List.of();
            case DnsSettings.Upstream.Resolvers(List<Nameserver> given) -> given;
            case DnsSettings.Upstream.ResolvConfFile(String path) -> ofFile(Path.of(path), notes);
        };
        last = all;
        List<Nameserver> others =
                all.stream().filter(server -> !own.contains(server.address())).toList();
        if (others.size() < all.size()) {
            notes.add("a resolver for other names is this server itself, and is left out: " + all);
        }
        return others;
    }

    private List<Nameserver> ofFile(Path path, List<String> notes) {
        try {
            ResolvConf conf = ResolvConf.parse(Files.readString(path));
            conf.problems().forEach(problem -> notes.add(path + ": " + problem));
            if (conf.nameservers().isEmpty()) {
                notes.add("names outside of the domain are refused: " + path + " names no resolver");
            }
            return conf.nameservers();
        } catch (IOException e) {
            notes.add("the resolvers for other names cannot be read: " + e);
            return last;
        }
    }
}
