package io.dualstackd.dataplane.io.ipvs;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.diff.Origin;
import io.dualstackd.dataplane.diff.Outcome.Refusal;
import io.dualstackd.dataplane.ipvs.IpvsSettings;
import io.dualstackd.dataplane.ipvs.Step;
import io.dualstackd.netlink.generic.ControlCodec;
import io.dualstackd.netlink.generic.GenericHeader;
import io.dualstackd.netlink.io.Answers;
import io.dualstackd.netlink.io.Arrival;
import io.dualstackd.netlink.io.ScriptedKernel;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPort;
import io.dualstackd.netlink.ip.Proto;
import io.dualstackd.netlink.ipvs.IpvsChange;
import io.dualstackd.netlink.ipvs.IpvsDestination;
import io.dualstackd.netlink.ipvs.IpvsKey;
import io.dualstackd.netlink.ipvs.IpvsService;
import io.dualstackd.netlink.sys.Errno;
import io.dualstackd.netlink.wire.Attr;
import io.dualstackd.netlink.wire.NlMessage;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class NetlinkIpvsKernelTest {
    private static final int FAMILY_ID = 28;
    /** {@code NLM_F_CAPPED}: the request is not quoted. */
    private static final int CAPPED = 0x100;

    private static final IpvsKey.At SERVER = new IpvsKey.At(Ip.parse("10.96.0.1"), Proto.TCP, 80);
    private static final IpPort ENDPOINT = new IpPort(Ip.parse("10.0.0.1"), 8080);

    /** All changes of one datagram are refused with this error. */
    private static List<Refusal> refused(Errno errno, IpvsChange... changes) {
        ScriptedKernel kernel = new ScriptedKernel(sent -> {
            List<Arrival> answers = new ArrayList<>();
            for (NlMessage message : sent) {
                answers.add(
                        message.type() == ControlCodec.TYPE
                                ? family(message.sequence())
                                : Answers.refusal(message.sequence(), errno));
            }
            return answers;
        });
        List<Step> steps = new ArrayList<>();
        for (IpvsChange change : changes) {
            steps.add(new Step.Change(Origin.NODE, change));
        }
        try (NetlinkIpvsKernel servers =
                new NetlinkIpvsKernel(IpFamily.IPV4, IpvsSettings.USUAL, (protocol, buffer) -> kernel)) {
            IpvsKernel.Done done = servers.make(steps);
            assertThat(done).isInstanceOf(IpvsKernel.Done.Made.class);
            return ((IpvsKernel.Done.Made) done).refused();
        }
    }

    private static Arrival family(int sequence) {
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
}
