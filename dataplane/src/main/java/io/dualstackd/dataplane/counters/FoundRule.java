package io.dualstackd.dataplane.counters;

import io.dualstackd.dataplane.counters.CountedRule.Destination;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.rules.iptables.ChainId;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.Proto;
import io.dualstackd.netlink.nft.NftRule;
import io.dualstackd.netlink.nft.data.CmpOp;
import io.dualstackd.netlink.nft.data.MetaKey;
import io.dualstackd.netlink.nft.data.PayloadBase;
import io.dualstackd.netlink.nft.expr.Cmp;
import io.dualstackd.netlink.nft.expr.Counter;
import io.dualstackd.netlink.nft.expr.Meta;
import io.dualstackd.netlink.nft.expr.NftExpr;
import io.dualstackd.netlink.nft.expr.Payload;
import io.dualstackd.netlink.nft.expr.XtMatchExpr;
import io.dualstackd.netlink.nft.expr.XtTargetExpr;
import io.dualstackd.netlink.wire.Bytes;
import io.dualstackd.netlink.xt.XtComment;
import io.dualstackd.netlink.xt.XtMatch;
import io.dualstackd.netlink.xt.XtSctp;
import io.dualstackd.netlink.xt.XtTcp;
import io.dualstackd.netlink.xt.XtUdp;
import io.dualstackd.netlink.xt.table.XtEntry;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A counted rule as the kernel has it.
 *
 * @param service from the comment of the rule, which begins with the name of the service port
 * @param handle 0 in iptables legacy
 */
public record FoundRule(ServiceKey service, CountedRule rule, long handle, Counter counter) {
    private static final String REJECT = "REJECT";

    /** Empty for a rule that is not counted. */
    public static Optional<FoundRule> of(ChainId chain, NftRule rule) {
        Parts parts = new Parts();
        for (NftExpr expression : rule.expressions()) {
            parts.take(expression);
        }
        Proto protocol = parts.protocol;
        ServiceKey service = parts.service;
        if (protocol == null || service == null || parts.port < 0) {
            return Optional.empty();
        }
        Destination to = new Destination(Optional.ofNullable(parts.address), protocol, parts.port);
        return CountedRule.of(chain, parts.rejects, parts.comment, to)
                .map(counted -> new FoundRule(service, counted, rule.handle(), parts.counter));
    }

    /** A rule of iptables legacy, which has no handle; empty for one that is not counted. */
    public static Optional<FoundRule> of(ChainId chain, XtEntry rule) {
        Parts parts = new Parts();
        rule.matches().forEach(parts::match);
        ServiceKey service = parts.service;
        Optional<Proto> protocol = rule.protocol();
        if (protocol.isEmpty() || service == null || parts.port < 0) {
            return Optional.empty();
        }
        Destination to = new Destination(rule.destination(), protocol.get(), parts.port);
        Counter counter = new Counter(rule.packets(), rule.bytes());
        return CountedRule.of(chain, rule.hasTarget(REJECT), parts.comment, to)
                .map(counted -> new FoundRule(service, counted, 0, counter));
    }

    /** The content of the expressions. */
    private static final class Parts {
        private static final int PORT_BYTES = 2;
        private static final int IPV4_BYTES = 4;
        private static final int IPV6_BYTES = 16;

        private @Nullable NftExpr loaded;
        private @Nullable Ip address;
        private @Nullable Proto protocol;
        private @Nullable ServiceKey service;
        private String comment = "";
        private int port = -1;
        private boolean rejects;
        private Counter counter = Counter.ZERO;

        void take(NftExpr expression) {
            switch (expression) {
                case Cmp(CmpOp op, int ignored, Bytes value) when op == CmpOp.EQ -> compare(value);
                case XtMatchExpr(String name, int revision, Bytes info) -> match(XtMatch.read(name, revision, info));
                case XtTargetExpr target -> rejects = target.extension().equals(REJECT);
                case Counter found -> counter = found;
                default -> {}
            }
            loaded = expression;
        }

        private void compare(Bytes value) {
            if (loaded instanceof Meta meta && meta.key().equals(MetaKey.L4PROTO)) {
                protocol = new Proto(value.at(0));
            } else if (loaded instanceof Payload payload && payload.base() == PayloadBase.NETWORK) {
                // A network is compared without the bytes that it leaves open.
                address = Ip.ofBytes(value.padTo(value.length() > IPV4_BYTES ? IPV6_BYTES : IPV4_BYTES)
                        .toArray());
            } else if (loaded instanceof Payload && value.length() == PORT_BYTES) {
                port = value.at(0) << Byte.SIZE | value.at(1);
            }
        }

        private void match(XtMatch match) {
            switch (match) {
                case XtComment(String text) -> {
                    comment = text;
                    service = serviceOf(text);
                }
                case XtSctp sctp -> port = sctp.destinationMin();
                case XtTcp tcp -> port = tcp.destinationMin();
                case XtUdp udp -> port = udp.destinationMin();
                default -> {}
            }
        }

        /** From {@code namespace/name}, {@code namespace/name:port} or either with more words. */
        private static @Nullable ServiceKey serviceOf(String comment) {
            int slash = comment.indexOf('/');
            int end = slash;
            while (end >= 0 && end < comment.length() && comment.charAt(end) != ':' && comment.charAt(end) != ' ') {
                end++;
            }
            return slash <= 0 ? null : new ServiceKey(comment.substring(0, slash), comment.substring(slash + 1, end));
        }
    }
}
