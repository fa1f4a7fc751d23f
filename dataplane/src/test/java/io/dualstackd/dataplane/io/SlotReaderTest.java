package io.dualstackd.dataplane.io;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.diff.SyncResult;
import io.dualstackd.dataplane.diff.SyncResult.Result;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.model.ServiceView;
import io.dualstackd.dataplane.rules.encoding.ExpressionPrint;
import io.dualstackd.dataplane.rules.encoding.PrintKey;
import io.dualstackd.dataplane.rules.nftables.Lane;
import io.dualstackd.dataplane.rules.nftables.TableForm;
import io.dualstackd.dataplane.watch.Generations;
import io.dualstackd.netlink.io.ForwardingTransport;
import io.dualstackd.netlink.io.NetlinkException;
import io.dualstackd.netlink.io.NlFlags;
import io.dualstackd.netlink.io.NlProtocol;
import io.dualstackd.netlink.io.NlSocket;
import io.dualstackd.netlink.io.NlTransport;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.netns.FreshNetNs;
import io.dualstackd.netlink.netns.NetNsCommands;
import io.dualstackd.netlink.nft.NftMessageType;
import io.dualstackd.netlink.sys.NetNs;
import io.dualstackd.netlink.wire.NlWriter;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Maps of endpoints that are read by their keys: the same result as from a list, with as many requests as the slots need. */
@Tag("kernel")
final class SlotReaderTest {
    private static final int SERVICES = 100;
    private static final int ENDPOINTS = 4;
    /** By address and by node port. */
    private static final int REQUESTS = 2 * ((SERVICES * ENDPOINTS + 127) / 128);

    @ParameterizedTest
    @EnumSource(IpFamily.class)
    void nothingIsWrongAndNoMapIsListed(IpFamily family) throws Exception {
        try (NetNs ns = FreshNetNs.create();
                ViewSyncer first = list(family, ns)) {
            inForce(first.run(Samples.node(family), all(family)));
            CountingRequests requests = new CountingRequests(NlSocket.open(NlProtocol.NETFILTER, ns));
            try (ViewSyncer restarted = byKey(family, requests)) {
                SyncResult result = inForce(restarted.run(Samples.node(family), all(family)));
                assertThat(result.comparedAll()).isTrue();
                assertThat(result.messages()).isZero();
                assertThat(requests.byKey).isEqualTo(REQUESTS);
                assertThat(requests.listsOfMaps).isZero();
            }
        }
    }

    /** What others did to a map is found, by a list where the keys are no longer the expected ones. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "delete element ip dualstackd endpoints { 10.96.0.1 . tcp . 80 . 1 }                           | 1 | 1",
                "add element ip dualstackd endpoints { 192.0.2.1 . tcp . 80 . 0 : 192.0.2.9 . 9 }              | 1 | 1",
                "delete element ip dualstackd endpoints { 10.96.0.1 . tcp . 80 . 1 }; "
                        + "add element ip dualstackd endpoints { 192.0.2.1 . tcp . 80 . 0 : 192.0.2.9 . 9 }    | 2 | 1",
                "delete element ip dualstackd endpoints { 10.96.0.1 . tcp . 80 . 1 }; "
                        + "add element ip dualstackd endpoints { 10.96.0.1 . tcp . 80 . 1 : 192.0.2.9 . 9 }    | 2 | 0",
                "delete element ip dualstackd service-ips-4 { 10.96.0.1 . tcp . 80 }                           | 1 | 1",
            })
    void changesOfOthersAreFound(String script, int steps, int lists) throws Exception {
        IpFamily family = IpFamily.IPV4;
        try (NetNs ns = FreshNetNs.create();
                ViewSyncer first = list(family, ns)) {
            inForce(first.run(Samples.node(family), all(family)));
            NetNsCommands commands = new NetNsCommands(ns);
            commands.feed(script.replace("; ", "\n"), "nft", "-f", "-");
            CountingRequests requests = new CountingRequests(NlSocket.open(NlProtocol.NETFILTER, ns));
            try (ViewSyncer restarted = byKey(family, requests);
                    ViewSyncer again = list(family, ns)) {
                assertThat(inForce(restarted.run(Samples.node(family), all(family)))
                                .ops())
                        .isEqualTo(steps);
                assertThat(requests.listsOfMaps).isEqualTo(lists);
                assertThat(inForce(again.run(Samples.node(family), all(family))).ops())
                        .isZero();
            }
        }
    }

    private static ViewSyncer list(IpFamily family, NetNs ns) {
        return new ViewSyncer(NftablesSyncer.of(family, () -> NlSocket.open(NlProtocol.NETFILTER, ns)));
    }

    private static ViewSyncer byKey(IpFamily family, NlTransport transport) {
        ExpressionPrint print = new ExpressionPrint(new PrintKey(1, 2));
        return new ViewSyncer(new NftablesSyncer(
                family,
                new NetlinkTableKernel(
                        family,
                        new TableReader(TableForm.plain(family), print, 1),
                        () -> transport,
                        new Generations(),
                        new RuleSetGate()),
                print));
    }

    private static Map<ServiceKey, Optional<ServiceView>> all(IpFamily family) {
        Map<ServiceKey, Optional<ServiceView>> all = new HashMap<>();
        for (int n = 0; n < SERVICES; n++) {
            ServiceView view = Samples.service(family, n, ENDPOINTS);
            all.put(view.key(), Optional.of(view));
        }
        return all;
    }

    private static SyncResult inForce(SyncResult result) {
        assertThat(result.result()).isEqualTo(new Result.InForce());
        return result;
    }

    /** Passes everything through and counts requests for elements; the other two maps are empty. */
    private static final class CountingRequests extends ForwardingTransport {
        private int byKey;
        private int listsOfMaps;

        CountingRequests(NlTransport transport) {
            super(transport);
        }

        @Override
        public void send(NlWriter writer) throws NetlinkException {
            if (writer.message(0).type() == NftMessageType.GET_ELEMENT) {
                boolean list = (writer.message(0).flags() & NlFlags.DUMP) == NlFlags.DUMP;
                String bytes = new String(writer.toByteArray(), StandardCharsets.ISO_8859_1);
                boolean ofMap = false;
                for (Lane lane : List.of(Lane.CLUSTER, Lane.NODE_PORT)) {
                    ofMap |= bytes.contains("\0" + lane.mapName() + "\0");
                }
                byKey += list ? 0 : 1;
                listsOfMaps += list && ofMap ? 1 : 0;
            }
            super.send(writer);
        }
    }
}
