package io.dualstackd.dataplane.io;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.diff.SyncResult;
import io.dualstackd.dataplane.diff.SyncResult.Result;
import io.dualstackd.dataplane.model.NodeView;
import io.dualstackd.dataplane.model.ProxyMode;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.model.ServiceView;
import io.dualstackd.dataplane.rules.nftables.TableForm;
import io.dualstackd.dataplane.watch.Generations;
import io.dualstackd.netlink.io.Arrival;
import io.dualstackd.netlink.io.MessageFilter;
import io.dualstackd.netlink.io.NetlinkException;
import io.dualstackd.netlink.io.NlProtocol;
import io.dualstackd.netlink.io.NlSocket;
import io.dualstackd.netlink.io.NlTransport;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.sys.NetNs;
import io.dualstackd.netlink.wire.NlWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A kernel refuses every batch with anything of one Service as a whole. */
@Tag("kernel")
class RefusalSearchKernelTest {
    private static final int SERVICES = 60;
    private static final int REFUSED = 7;
    private static final ServiceKey KEY =
            Samples.service(IpFamily.IPV4, REFUSED, 1).key();
    private static final NodeView NODE = Samples.node(IpFamily.IPV4);

    private boolean refuses;

    /** Sends batches with the fourth endpoint of the refused Service to a part of the kernel that takes none, which names no message then. */
    private final class Misled implements NlTransport {
        private static final int BATCH_BEGIN = 0x10;
        private static final int BEHIND_HEADER = 16;
        private static final int CONNTRACK = 1;

        private final NlTransport inner;

        Misled(NlTransport inner) {
            this.inner = inner;
        }

        @Override
        public void send(NlWriter writer) throws NetlinkException {
            if (refuses && writer.message(0).type() == BATCH_BEGIN && writesCulprit(writer)) {
                writer.setU32be(BEHIND_HEADER, CONNTRACK);
            }
            inner.send(writer);
        }

        private boolean writesCulprit(NlWriter writer) {
            String all = new String(writer.toByteArray(), StandardCharsets.ISO_8859_1);
            return all.contains("\u000b\u0000" + (char) REFUSED + "\u0004");
        }

        @Override
        public Arrival receive(Duration timeout) throws NetlinkException {
            return inner.receive(timeout);
        }

        @Override
        public void listen(int group, MessageFilter wanted, int receiveBuffer) throws NetlinkException {
            inner.listen(group, wanted, receiveBuffer);
        }

        @Override
        public int portId() {
            return inner.portId();
        }

        @Override
        public void close() {
            inner.close();
        }
    }

    private ViewSyncer start(ProxyMode mode, NetNs ns) {
        NetlinkKernel.Open open = () -> new Misled(NlSocket.open(NlProtocol.NETFILTER, ns));
        return new ViewSyncer(
                mode == ProxyMode.NFTABLES
                        ? NftablesSyncer.of(
                                TableForm.plain(IpFamily.IPV4),
                                open,
                                new Generations(),
                                new RuleSetGate(),
                                Optional.empty())
                        : IptablesSyncer.of(IpFamily.IPV4, open, new Generations(), new RuleSetGate()));
    }

    private static Map<ServiceKey, Optional<ServiceView>> services(int endpoints, int ofRefused) {
        Map<ServiceKey, Optional<ServiceView>> all = new HashMap<>();
        for (int n = 0; n < SERVICES; n++) {
            int number = n == REFUSED ? ofRefused : endpoints;
            ServiceView view = Samples.service(IpFamily.IPV4, n, number);
            all.put(view.key(), number == 0 ? Optional.empty() : Optional.of(view));
        }
        return all;
    }

    private static SyncResult inForceAtTheSecondTry(ViewSyncer syncer, Map<ServiceKey, Optional<ServiceView>> changes) {
        assertThat(syncer.run(NODE, changes).result())
                .isInstanceOfSatisfying(
                        Result.Refused.class,
                        refused -> assertThat(refused.refusals())
                                .singleElement()
                                .satisfies(
                                        refusal -> assertThat(refusal.origin()).isEmpty()));
        SyncResult report = syncer.run(NODE, Map.of());
        assertThat(report.result()).isEqualTo(new Result.InForce());
        assertThat(report.leftOut()).containsOnlyKeys(KEY);
        return report;
    }

    private void holds(ProxyMode mode, NetNs ns, Map<ServiceKey, Optional<ServiceView>> wanted) {
        refuses = false;
        try (ViewSyncer fresh = start(mode, ns)) {
            SyncResult report = fresh.run(NODE, wanted);
            assertThat(report.result()).isEqualTo(new Result.InForce());
            assertThat(report.ops()).as("what is not as it should be").isZero();
        }
        refuses = true;
    }

    @ParameterizedTest
    @EnumSource(names = {"NFTABLES", "IPTABLES"})
    void theOthersComeIntoForce(ProxyMode mode) throws Exception {
        try (NetNs ns = NetNs.create()) {
            refuses = true;
            try (ViewSyncer syncer = start(mode, ns)) {
                assertThat(inForceAtTheSecondTry(syncer, services(4, 4)).kept()).isEmpty();
                holds(mode, ns, services(4, 0));
                refuses = false;
                syncer.retryRefused();
                assertThat(syncer.run(NODE, services(3, 3)).leftOut()).isEmpty();
                refuses = true;
                assertThat(inForceAtTheSecondTry(syncer, services(4, 4)).kept()).containsExactly(KEY);
                holds(mode, ns, services(4, 3));
                assertThat(syncer.run(NODE, services(3, 3)).leftOut()).isEmpty();
            }
            try (ViewSyncer restarted = start(mode, ns)) {
                assertThat(inForceAtTheSecondTry(restarted, services(4, 4)).kept())
                        .containsExactly(KEY);
                holds(mode, ns, services(4, 3));
                refuses = false;
                restarted.retryRefused();
                assertThat(restarted.run(NODE, Map.of()).leftOut()).isEmpty();
                holds(mode, ns, services(4, 4));
            }
        }
    }
}
