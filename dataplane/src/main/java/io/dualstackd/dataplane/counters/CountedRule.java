package io.dualstackd.dataplane.counters;

import io.dualstackd.dataplane.rules.iptables.ChainId;
import io.dualstackd.dataplane.rules.iptables.ChainNames;
import io.dualstackd.dataplane.rules.iptables.IpvsServiceCompiler;
import io.dualstackd.dataplane.rules.iptables.Match;
import io.dualstackd.dataplane.rules.iptables.Rule;
import io.dualstackd.dataplane.rules.iptables.Table;
import io.dualstackd.dataplane.rules.iptables.Target;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.Proto;
import java.util.List;
import java.util.Optional;

/** A rule of iptables mode whose counter counts attempts to reach one destination. A destination has at most one of each kind. */
public record CountedRule(Kind kind, Destination to) {
    /** The chains in which counted rules are, those of translation first: what is lost later is never more than what came. */
    public static final List<ChainId> CHAINS = List.of(
            new ChainId(Table.NAT, ChainNames.SERVICES),
            new ChainId(Table.NAT, ChainNames.NODE_PORTS),
            new ChainId(Table.FILTER, ChainNames.SERVICES),
            new ChainId(Table.FILTER, ChainNames.EXTERNAL_SERVICES),
            new ChainId(Table.FILTER, ChainNames.PROXY_FIREWALL));

    /** The chains with counted rules in IPVS mode, where virtual servers count what is translated. */
    public static final List<ChainId> AROUND_SERVERS = List.of(
            new ChainId(Table.FILTER, ChainNames.IPVS_FILTER), new ChainId(Table.FILTER, ChainNames.IPVS_NODE_PORTS));

    /** The meaning of a packet at the rule. */
    public enum Kind {
        /** The first packet of a connection; at external destinations also one that is dropped afterwards. */
        TRANSLATED,
        REFUSED,
        DROPPED,
        /** From none of the source ranges of a load balancer, or one that a policy drops there; not among {@link #DROPPED}. */
        FORBIDDEN
    }

    /** @param address empty for a node port; its network for one on 127.0.0.0/8 that is counted on its own */
    public record Destination(Optional<Ip> address, Proto protocol, int port) {
        private static final Ip LOCALHOST = Ip.parse("127.0.0.0");

        /** A node port on any address. */
        public static Destination nodePort(Proto protocol, int port) {
            return new Destination(Optional.empty(), protocol, port);
        }

        /** The part of {@link #nodePort} that a rule of its own counts, where the kernel counts such packets at a named object. */
        public static Destination localhostNodePort(Proto protocol, int port) {
            return new Destination(Optional.of(LOCALHOST), protocol, port);
        }
    }

    /**
     * @param rejects whether its target is REJECT
     * @param comment of the rule
     */
    static Optional<CountedRule> of(ChainId chain, boolean rejects, String comment, Destination to) {
        if (AROUND_SERVERS.contains(chain)) {
            // IPVS rejects by itself, behind a rule that only counts or lets through.
            return kindAroundServers(comment).map(kind -> new CountedRule(kind, to));
        }
        Kind kind = chain.table() == Table.NAT
                ? Kind.TRANSLATED
                : chain.name().equals(ChainNames.PROXY_FIREWALL)
                        ? Kind.FORBIDDEN
                        : rejects ? Kind.REFUSED : Kind.DROPPED;
        return Optional.of(new CountedRule(kind, to));
    }

    private static Optional<Kind> kindAroundServers(String comment) {
        if (comment.endsWith(IpvsServiceCompiler.NO_ENDPOINTS)) {
            return Optional.of(Kind.REFUSED);
        }
        return comment.endsWith(IpvsServiceCompiler.NO_LOCAL_ENDPOINTS) ? Optional.of(Kind.DROPPED) : Optional.empty();
    }

    /** The rule that is to be written to {@code chain}; empty for one that is not counted. */
    static Optional<CountedRule> of(ChainId chain, Rule rule) {
        if (!CHAINS.contains(chain) && !AROUND_SERVERS.contains(chain)) {
            return Optional.empty();
        }
        Optional<Ip> address = Optional.empty();
        String comment = "";
        for (Match match : rule.matches()) {
            if (match instanceof Match.Destination(var prefix, boolean negated) && !negated) {
                address = Optional.of(prefix.address());
            } else if (match instanceof Match.Comment(String text)) {
                comment = text;
            }
        }
        for (Match match : rule.matches()) {
            if (match instanceof Match.DestinationPort(Proto protocol, int port)) {
                Destination to = new Destination(address, protocol, port);
                return of(chain, rule.target() instanceof Target.Reject, comment, to);
            }
        }
        return Optional.empty();
    }
}
