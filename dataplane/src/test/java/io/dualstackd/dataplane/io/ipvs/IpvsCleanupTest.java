package io.dualstackd.dataplane.io.ipvs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dualstackd.netlink.generic.ControlCodec;
import io.dualstackd.netlink.io.Answers;
import io.dualstackd.netlink.io.Arrival;
import io.dualstackd.netlink.io.NetlinkException;
import io.dualstackd.netlink.io.NetlinkSockets;
import io.dualstackd.netlink.io.NlFlags;
import io.dualstackd.netlink.io.NlProtocol;
import io.dualstackd.netlink.io.NlSocket;
import io.dualstackd.netlink.io.RouteClient;
import io.dualstackd.netlink.io.ScriptedKernel;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.Proto;
import io.dualstackd.netlink.ipvs.IpvsChange;
import io.dualstackd.netlink.ipvs.IpvsCodec;
import io.dualstackd.netlink.ipvs.IpvsKey;
import io.dualstackd.netlink.ipvs.IpvsService;
import io.dualstackd.netlink.netns.FreshNetNs;
import io.dualstackd.netlink.netns.NetNsCommands;
import io.dualstackd.netlink.sys.Errno;
import io.dualstackd.netlink.sys.NetNs;
import io.dualstackd.netlink.wire.NlMessage;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Links of a real kernel, which need not have dummies; virtual servers of a scripted one. */
@Tag("kernel")
final class IpvsCleanupTest {
    private static final IpvsService OURS =
            new IpvsService(new IpvsKey.At(Ip.parse("10.96.0.1"), Proto.TCP, 80), "rr", 0, 0, 32);
    private static final IpvsService THEIRS =
            new IpvsService(new IpvsKey.At(Ip.parse("10.99.0.1"), Proto.TCP, 80), "rr", 0, 0, 32);

    /** Has both virtual servers, and answers a request to delete one like this. */
    private static ScriptedKernel servers(Function<NlMessage, Arrival> deletion) {
        return new ScriptedKernel(sent -> sent.stream()
                .map(message -> {
                    if (message.type() == ControlCodec.TYPE) {
                        return NetlinkIpvsKernelTest.family(message.sequence());
                    }
                    return (message.flags() & NlFlags.DUMP) == NlFlags.DUMP
                            ? listed(message.sequence())
                            : deletion.apply(message);
                })
                .toList());
    }

    private static Arrival listed(int sequence) {
        return Answers.datagram(to -> {
            for (IpvsService service : List.of(OURS, THEIRS)) {
                Answers.message(
                        to,
                        NetlinkIpvsKernelTest.FAMILY_ID,
                        NlFlags.MULTI,
                        sequence,
                        body -> IpvsCodec.write(body, new IpvsChange.AddService(service)));
            }
            Answers.message(to, NlMessage.DONE, NlFlags.MULTI, sequence, body -> body.u32(0));
        });
    }

    private static NetlinkSockets sockets(NetNs ns, ScriptedKernel servers) {
        return (protocol, buffer) ->
                protocol.equals(NlProtocol.GENERIC) ? servers : NlSocket.open(protocol, ns, buffer);
    }

    /** The link has the addresses by which virtual servers are recognised, so it stays as long as they do. */
    @Test
    void anotherAttemptAfterAFailureFindsTheServers() throws Exception {
        try (NetNs ns = FreshNetNs.create();
                RouteClient routes = RouteClient.open(ns)) {
            routes.addBridge(ServiceLink.NAME);
            new NetNsCommands(ns).run("ip", "address", "add", "10.96.0.1/32", "dev", ServiceLink.NAME);

            NetlinkSockets unanswered = sockets(ns, servers(message -> new Arrival.Overrun()));
            assertThatThrownBy(() -> IpvsCleanup.clean(unanswered, true, List.of()))
                    .isInstanceOf(NetlinkException.class);
            NetlinkSockets unlisted = sockets(
                    ns,
                    new ScriptedKernel(sent -> List.of(
                            sent.getFirst().type() == ControlCodec.TYPE
                                    ? NetlinkIpvsKernelTest.family(
                                            sent.getFirst().sequence())
                                    : Answers.refusal(sent.getFirst().sequence(), Errno.ENOMEM))));
            assertThatThrownBy(() -> IpvsCleanup.clean(unlisted, true, List.of()))
                    .isInstanceOf(NetlinkException.class);

            IpvsCleanup.Removed gone = IpvsCleanup.clean(
                    sockets(ns, servers(message -> Answers.ack(message.sequence()))), true, List.of());
            assertThat(gone.link()).isTrue();
            assertThat(gone.servers()).isEqualTo(1);
            assertThat(gone.kept()).containsExactly(THEIRS.key().toString());
            assertThat(routes.link(ServiceLink.NAME)).isEmpty();
        }
    }
}
