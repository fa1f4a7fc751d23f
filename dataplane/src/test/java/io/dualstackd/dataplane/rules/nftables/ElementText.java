package io.dualstackd.dataplane.rules.nftables;

import io.dualstackd.dataplane.plan.Backend;
import io.dualstackd.dataplane.rules.nftables.ServiceElements.Member;
import io.dualstackd.dataplane.rules.nftables.ServiceElements.Spread;
import io.dualstackd.dataplane.rules.nftables.ServiceElements.Sticky;
import io.dualstackd.dataplane.rules.nftables.ServiceElements.StickyEndpoint;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.Proto;
import io.dualstackd.netlink.wire.Bytes;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What a Service wants, as lines for people: {@code reject-ips 172.30.0.1 . tcp . 80}. */
record ElementText(IpFamily family) {
    List<String> lines(ServiceElements elements) {
        List<String> lines = new ArrayList<>();
        elements.members().forEach(member -> lines.add(member(member)));
        elements.spreads().forEach(spread -> lines.add(spread(spread)));
        elements.sticky().forEach(sticky -> lines.addAll(sticky(sticky)));
        return lines;
    }

    private String member(Member member) {
        KeyShape shape = member.set().shape();
        String end = member.keyEnd().length() == 0 ? "" : " - " + key(shape, member.keyEnd());
        return member.set().setName() + " " + key(shape, member.key()) + end;
    }

    private String spread(Spread spread) {
        List<String> to = spread.endpoints().stream()
                .map(Backend::address)
                .map(Object::toString)
                .toList();
        return spread.lane().mapName() + " " + key(spread.lane().destination(), spread.destination()) + " → "
                + String.join(", ", to);
    }

    private List<String> sticky(Sticky sticky) {
        List<String> lines = new ArrayList<>();
        for (Sticky.Entry entry : sticky.destinations()) {
            lines.add(entry.lane().stickyMapName() + " "
                    + key(entry.lane().destination(), entry.destination())
                    + " → " + sticky.chain());
        }
        List<String> to = sticky.endpoints().stream()
                .map(StickyEndpoint::address)
                .map(Object::toString)
                .toList();
        lines.add(sticky.chain() + " " + sticky.protocol() + " " + sticky.timeoutSeconds() + " s → "
                + String.join(", ", to));
        return lines;
    }

    /** As {@code nft} prints it. */
    String key(KeyShape shape, Bytes key) {
        byte[] bytes = key.toArray();
        List<String> parts = new ArrayList<>();
        int at = 0;
        for (KeyShape.Part part : shape.parts()) {
            int length = switch (part) {
                case SOURCE, DESTINATION -> family.bytes();
                case PROTOCOL, PORT, SLOT -> 4;
            };
            byte[] value = Arrays.copyOfRange(bytes, at, at + length);
            parts.add(
                    switch (part) {
                        case SOURCE, DESTINATION -> Ip.ofBytes(value).toString();
                        case PROTOCOL -> new Proto(value[0] & 0xff).toString();
                        case PORT -> "" + ((value[0] & 0xff) << 8 | (value[1] & 0xff));
                        case SLOT ->
                            ""
                                    + ByteBuffer.wrap(value)
                                            .order(ByteOrder.nativeOrder())
                                            .getInt();
                    });
            at += length;
        }
        return String.join(" . ", parts);
    }
}
