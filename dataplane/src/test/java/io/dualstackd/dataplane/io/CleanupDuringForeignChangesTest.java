package io.dualstackd.dataplane.io;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.diff.SyncResult.Result;
import io.dualstackd.dataplane.io.cleanup.IptablesCleanup;
import io.dualstackd.dataplane.io.cleanup.TableCleanup;
import io.dualstackd.dataplane.model.NodeView;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.model.ServiceView;
import io.dualstackd.dataplane.watch.Generations;
import io.dualstackd.netlink.io.NetlinkConnection;
import io.dualstackd.netlink.io.NetlinkException;
import io.dualstackd.netlink.io.NftClient;
import io.dualstackd.netlink.io.NftOutcome;
import io.dualstackd.netlink.io.NlProtocol;
import io.dualstackd.netlink.io.NlSocket;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.nft.NftBatch;
import io.dualstackd.netlink.nft.NftFamily;
import io.dualstackd.netlink.nft.NftTable;
import io.dualstackd.netlink.nft.TableName;
import io.dualstackd.netlink.sys.NetNs;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rules of ours or of kube-proxy are taken away while other programs change rules of theirs without a pause. */
@Tag("kernel")
class CleanupDuringForeignChangesTest {
    private static final int SERVICES = 200;
    private static final NodeView NODE = Samples.node(IpFamily.IPV4);
    private static final TableName KUBE_PROXY = new TableName(NftFamily.IP, TableCleanup.KUBE_PROXY);

    private final OtherProgram.Meter meter = new OtherProgram.Meter();

    private NetlinkKernel.Open open(NetNs ns) {
        return () -> new OtherProgram.Interleaved(NlSocket.open(NlProtocol.NETFILTER, ns), meter);
    }

    private void load(NetNs ns) {
        Map<ServiceKey, Optional<ServiceView>> all = new HashMap<>();
        for (int n = 0; n < SERVICES; n++) {
            ServiceView view = Samples.service(IpFamily.IPV4, n, 3);
            all.put(view.key(), Optional.of(view));
        }
        try (ViewSyncer syncer = new ViewSyncer(IptablesSyncer.of(IpFamily.IPV4, open(ns)))) {
            assertThat(syncer.run(NODE, all).result()).isEqualTo(new Result.InForce());
        }
    }

    private static long chainsOfOurs(NetNs ns) throws NetlinkException {
        try (NftClient client = NftClient.open(ns)) {
            return client.chains(NftFamily.IP).stream()
                    .filter(chain -> chain.name().name().startsWith("KUBE-"))
                    .count();
        }
    }

    @ParameterizedTest
    @CsvSource({"others, '', 20", "nat, POSTROUTING, 20", "nat, POSTROUTING, 500"})
    void chainsAndJumpsAreTakenAway(String table, String builtIn, int datagrams) throws Exception {
        try (NetNs ns = NetNs.create()) {
            load(ns);
            try (OtherProgram other = new OtherProgram(ns, table, builtIn)) {
                meter.every(datagrams, other::commit);
                assertThat(chains(ns)).isInstanceOfSatisfying(IptablesCleanup.Result.Removed.class, removed -> {
                    assertThat(removed.chains()).isGreaterThan(SERVICES);
                    assertThat(removed.kept()).isEmpty();
                });
                assertThat(other.commits()).as("changes by others meanwhile").isGreaterThan(2);
            }
            assertThat(chainsOfOurs(ns)).isZero();
        }
    }

    @Test
    void tablesAreTakenAway() throws Exception {
        try (NetNs ns = NetNs.create();
                NftClient client = NftClient.open(ns);
                OtherProgram other = new OtherProgram(ns, "others", "")) {
            assertThat(client.apply(NftBatch.begin().add(NftTable.of(KUBE_PROXY))))
                    .isInstanceOf(NftOutcome.Applied.class);
            meter.every(1, other::commit);
            try (NftClient kernel = new NftClient(new NetlinkConnection(open(ns).transport()))) {
                assertThat(TableCleanup.clean(
                                kernel,
                                IpFamily.IPV4,
                                Set.of(TableCleanup.OURS, TableCleanup.KUBE_PROXY),
                                new Generations()))
                        .isInstanceOfSatisfying(
                                TableCleanup.Result.Removed.class,
                                removed -> assertThat(removed.tables()).containsExactly(KUBE_PROXY));
            }
            assertThat(other.commits()).as("changes by others meanwhile").isGreaterThan(2);
            assertThat(client.table(KUBE_PROXY)).isEmpty();
        }
    }

    private IptablesCleanup.Result chains(NetNs ns) {
        return IptablesCleanup.clean(open(ns), IpFamily.IPV4, new Generations());
    }
}
