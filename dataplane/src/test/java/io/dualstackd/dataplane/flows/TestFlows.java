package io.dualstackd.dataplane.flows;

import io.dualstackd.netlink.conntrack.ConntrackEntry;
import io.dualstackd.netlink.conntrack.ConntrackMessages;
import io.dualstackd.netlink.conntrack.FlowTuple;
import io.dualstackd.netlink.conntrack.FlowView;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPort;
import io.dualstackd.netlink.ip.Proto;
import io.dualstackd.netlink.ip.Protos;
import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.NlMessage;
import io.dualstackd.netlink.wire.NlWriter;
import java.util.List;

/** Flows in shorthand: {@code "udp 10.96.0.10:53 > 10.1.0.5:5353"}, from some client. */
public final class TestFlows {
    private static final int TIMEOUT = 600;

    private TestFlows() {}

    /** As {@link #entry}, in zone {@code zone} and from client port {@code sourcePort}. */
    public static ConntrackEntry entry(String text, int sourcePort, int zone) {
        List<String> words = List.of(text.split(" +", -1));
        Proto proto = Protos.named(words.get(0));
        IpPort destination = at(words.get(1));
        IpPort answers = at(words.get(3));
        boolean v4 = destination.ip().family() == IpFamily.IPV4;
        IpPort client = new IpPort(Ip.parse(v4 ? "10.0.0.9" : "fd00:10::9"), sourcePort);
        ConntrackEntry entry = ConntrackEntry.of(
                FlowTuple.of(proto, client, destination), FlowTuple.of(proto, answers, client), TIMEOUT);
        return new ConntrackEntry(entry.original(), entry.reply(), zone, 0, entry.status(), TIMEOUT, List.of());
    }

    public static ConntrackEntry entry(String text) {
        return entry(text, 1000, 0);
    }

    /** The flow as a list would show it. */
    static FlowView listed(ConntrackEntry entry) {
        NlWriter writer = new NlWriter();
        int mark = writer.startMessage(ConntrackMessages.NEW, 0, 1);
        entry.writeTo(writer);
        writer.endMessage(mark);
        try {
            return FlowView.read(
                    NlMessage.split(writer.toByteArray(), writer.length()).getFirst());
        } catch (DecodeException e) {
            throw new IllegalArgumentException(e);
        }
    }

    /** {@code 10.0.0.1:53} or {@code [fd00::1]:53}. */
    static IpPort at(String text) {
        int colon = text.lastIndexOf(':');
        String ip = text.substring(0, colon).replace("[", "").replace("]", "");
        return new IpPort(Ip.parse(ip), Integer.parseInt(text.substring(colon + 1)));
    }
}
