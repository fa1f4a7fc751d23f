package io.dualstackd.dataplane.io.ipvs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.dualstackd.dataplane.diff.Origin;
import io.dualstackd.dataplane.diff.ReadResult;
import io.dualstackd.dataplane.ipvs.FoundServers;
import io.dualstackd.dataplane.ipvs.Step;
import io.dualstackd.netlink.generic.ControlCodec;
import io.dualstackd.netlink.generic.GenericHeader;
import io.dualstackd.netlink.io.Answers;
import io.dualstackd.netlink.io.Arrival;
import io.dualstackd.netlink.io.NlProtocol;
import io.dualstackd.netlink.io.NlSocket;
import io.dualstackd.netlink.io.ScriptedKernel;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPort;
import io.dualstackd.netlink.ip.Proto;
import io.dualstackd.netlink.ipvs.IpvsChange;
import io.dualstackd.netlink.ipvs.IpvsDestination;
import io.dualstackd.netlink.ipvs.IpvsKey;
import io.dualstackd.netlink.ipvs.IpvsService;
import io.dualstackd.netlink.netns.FreshNetNs;
import io.dualstackd.netlink.netns.NetNsCommands;
import io.dualstackd.netlink.sys.Errno;
import io.dualstackd.netlink.sys.NetNs;
import io.dualstackd.netlink.wire.Attr;
import io.dualstackd.netlink.wire.NlMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("kernel")
final class NetlinkIpvsKernelTest {
    static final int FAMILY_ID = 28;
    /** {@code NLM_F_CAPPED}: the request is not quoted. */
    private static final int CAPPED = 0x100;

    private static final IpvsKey.At SERVER = new IpvsKey.At(Ip.parse("10.96.0.1"), Proto.TCP, 80);
    private static final IpPort ENDPOINT = new IpPort(Ip.parse("10.0.0.1"), 8080);

    /** All changes of one datagram are refused with this error. */
    private static List<IpvsKernel.RefusedStep> refused(Errno errno, IpvsChange... changes) {
        ScriptedKernel kernel = answering(sequence -> Answers.refusal(sequence, errno));
        List<Step> steps = new ArrayList<>();
        for (IpvsChange change : changes) {
            steps.add(new Step.Change(Origin.NODE, change));
        }
        try (NetlinkIpvsKernel servers = new NetlinkIpvsKernel(IpFamily.IPV4, (protocol, buffer) -> kernel)) {
            IpvsKernel.Done done = servers.make(steps);
            assertThat(done).isInstanceOf(IpvsKernel.Done.Made.class);
            return ((IpvsKernel.Done.Made) done).refused();
        }
    }

    /** A kernel with IPVS that answers every request to it like this. */
    private static ScriptedKernel answering(IntFunction<Arrival> answer) {
        return new ScriptedKernel(sent -> {
            List<Arrival> answers = new ArrayList<>();
            for (NlMessage message : sent) {
                answers.add(
                        message.type() == ControlCodec.TYPE
                                ? family(message.sequence())
                                : answer.apply(message.sequence()));
            }
            return answers;
        });
    }

    /** The answer to the question which number the family has. */
    static Arrival family(int sequence) {
        return Answers.datagram(to -> {
            Answers.message(to, ControlCodec.TYPE, 0, sequence, body -> {
                new GenericHeader(1, 2).write(body);
                body.put(new Attr.U16(1, "CTRL_ATTR_FAMILY_ID"), FAMILY_ID);
                body.put(new Attr.Text(2, "CTRL_ATTR_FAMILY_NAME"), "IPVS");
                body.put(new Attr.U32(3, "CTRL_ATTR_VERSION"), 1);
            });
            Answers.message(to, NlMessage.ERROR, CAPPED, sequence, body -> {
                body.u32(0);
                body.u32(16);
                body.u32(0);
                body.u32(sequence);
                body.u32(0);
            });
        });
    }

    @Test
    void whatIsGoneNeedsNoRemoval() {
        assertThat(refused(Errno.ESRCH, new IpvsChange.DeleteService(SERVER))).isEmpty();
        assertThat(refused(
                        Errno.ENOENT,
                        new IpvsChange.DeleteDestination(SERVER, ENDPOINT),
                        new IpvsChange.SetDestination(SERVER, IpvsDestination.of(ENDPOINT, 0))))
                .isEmpty();
    }

    /** Where the server of a destination is gone, or something wanted is missing or is there in another form, all has to be read again. */
    @Test
    void otherRefusalsAreReported() {
        assertThat(refused(
                        Errno.ESRCH,
                        new IpvsChange.DeleteDestination(SERVER, ENDPOINT),
                        new IpvsChange.SetDestination(SERVER, IpvsDestination.of(ENDPOINT, 0)),
                        new IpvsChange.SetService(new IpvsService(SERVER, "rr", 0, 0, 32))))
                .hasSize(3);
        assertThat(refused(Errno.ENOENT, new IpvsChange.SetDestination(SERVER, IpvsDestination.of(ENDPOINT, 1))))
                .hasSize(1);
        assertThat(refused(
                        Errno.EEXIST,
                        new IpvsChange.AddService(new IpvsService(SERVER, "rr", 0, 0, 32)),
                        new IpvsChange.AddDestination(SERVER, IpvsDestination.of(ENDPOINT, 1))))
                .hasSize(2);
    }

    /** The link may have been made anew since it was last used. Not every kernel has dummies, and any link will do. */
    @ParameterizedTest
    @EnumSource
    void addressesAreAddedToTheLinkThatWasRead(IpFamily family) throws Exception {
        ScriptedKernel withoutServers = answering(Answers::done);
        boolean v4 = family == IpFamily.IPV4;
        Ip first = Ip.parse(v4 ? "10.96.0.1" : "fd00:10:96::1");
        Ip second = Ip.parse(v4 ? "10.96.0.2" : "fd00:10:96::2");
        try (NetNs ns = FreshNetNs.create();
                NetlinkIpvsKernel servers = new NetlinkIpvsKernel(
                        family,
                        (protocol, buffer) -> protocol.equals(NlProtocol.GENERIC)
                                ? withoutServers
                                : NlSocket.open(protocol, ns, buffer))) {
            NetNsCommands commands = new NetNsCommands(ns);
            commands.run("ip", "link", "add", ServiceLink.NAME, "type", "veth", "peer", "name", "peer0");
            holds(servers, first);
            commands.run("ip", "link", "delete", ServiceLink.NAME);
            commands.run("ip", "link", "add", ServiceLink.NAME, "type", "veth", "peer", "name", "peer0");
            assertThat(addresses(servers)).isEmpty();
            holds(servers, first);
            holds(servers, second);
            assertThat(addresses(servers)).containsExactlyInAnyOrder(first, second);
        }
    }

    private static void holds(NetlinkIpvsKernel servers, Ip address) {
        assertThat(servers.make(List.of(new Step.Hold(Origin.NODE, address))))
                .isInstanceOfSatisfying(
                        IpvsKernel.Done.Made.class,
                        made -> assertThat(made.refused()).isEmpty());
    }

    private static Set<Ip> addresses(NetlinkIpvsKernel servers) {
        return servers.read() instanceof ReadResult.Found<FoundServers>(FoundServers found)
                ? found.addresses()
                : fail("the kernel cannot be read");
    }
}
