package io.dualstackd.admin;

import io.dualstackd.dns.DnsFigures;
import io.dualstackd.netlink.ip.Ip;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The state of the DNS server.
 *
 * @param domain of the Services
 * @param listeners in the order of the settings
 * @param clusterIps of the Service {@code kube-system/kube-dns}; none when there is no such Service, or it has no address
 * @param resolvers for other names, in the order in which they are asked
 * @param notes what does not work, other than listeners; whole sentences
 * @param figures empty until the server has started
 */
public record DnsReport(
        String domain,
        List<Listener> listeners,
        List<Ip> clusterIps,
        List<String> resolvers,
        List<String> notes,
        Optional<DnsFigures> figures) {
    public DnsReport {
        listeners = List.copyOf(listeners);
        clusterIps = List.copyOf(clusterIps);
        resolvers = List.copyOf(resolvers);
        notes = List.copyOf(notes);
    }

    /**
     * An address where questions are received.
     *
     * @param error why they are not received; empty while they are
     */
    public record Listener(String address, Optional<String> error) {}

    /** The problems, in sentences. */
    public List<String> problems() {
        List<String> all = new ArrayList<>();
        listeners.forEach(listener -> listener.error()
                .ifPresent(why -> all.add("DNS questions are not received on " + listener.address() + ": " + why)));
        all.addAll(otherProblems());
        return List.copyOf(all);
    }

    /** The problems other than those of listeners. */
    public List<String> otherProblems() {
        List<String> all = new ArrayList<>();
        if (figures.filter(DnsFigures::resolversSilent).isPresent()) {
            all.add("none of the resolvers for other names answers: " + String.join(", ", resolvers));
        }
        all.addAll(notes);
        return List.copyOf(all);
    }
}
