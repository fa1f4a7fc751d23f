package io.dualstackd.dataplane.counters;

import io.dualstackd.dataplane.rules.iptables.ChainId;
import io.dualstackd.dataplane.rules.iptables.ChainNames;
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

    /** What a packet at the rule is. */
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

    static CountedRule of(ChainId chain, boolean rejects, Destination to) {
        Kind kind = chain.table() == Table.NAT
                ? Kind.TRANSLATED
                : chain.name().equals(ChainNames.PROXY_FIREWALL)
                        ? Kind.FORBIDDEN
                        : rejects ? Kind.REFUSED : Kind.DROPPED;
        return new CountedRule(kind, to);
    }

    /** The rule that is to be written to {@code chain}; empty for one that is not counted. */
    static Optional<CountedRule> of(ChainId chain, Rule rule) {
        if (!CHAINS.contains(chain)) {
            return Optional.empty();
        }
        Optional<Ip> address = Optional.empty();
        for (Match match : rule.matches()) {
            if (match instanceof Match.Destination(var prefix, boolean negated) && !negated) {
                address = Optional.of(prefix.address());
            }
        }
        for (Match match : rule.matches()) {
            if (match instanceof Match.DestinationPort(Proto protocol, int port)) {
                return Optional.of(
                        of(chain, rule.target() instanceof Target.Reject, new Destination(address, protocol, port)));
            }
        }
        return Optional.empty();
    }
}
