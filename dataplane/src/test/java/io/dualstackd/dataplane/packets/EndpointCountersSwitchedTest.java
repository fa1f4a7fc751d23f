package io.dualstackd.dataplane.packets;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.diff.SyncResult;
import io.dualstackd.dataplane.io.NftablesSyncer;
import io.dualstackd.dataplane.io.ViewSyncer;
import io.dualstackd.dataplane.model.ServiceView;
import io.dualstackd.dataplane.packets.Probe.Answer;
import io.dualstackd.dataplane.rules.nftables.TableForm;
import io.dualstackd.netlink.io.NlProtocol;
import io.dualstackd.netlink.io.NlSocket;
import io.dualstackd.netlink.ip.Proto;
import io.dualstackd.netlink.netns.FreshNetNs;
import io.dualstackd.netlink.netns.NetNsCommands;
import io.dualstackd.netlink.sys.NetNs;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Two starts between which counters of endpoints were switched on or off: the second one makes the table anew in one transaction. Each
 * client loses one attempt at most, the one whose packet passes just when the kernel takes it: hooks of the new table run before those of
 * the old one, so that a packet between the two finds neither table's rules.
 */
@Tag("kernel")
final class EndpointCountersSwitchedTest {
    private static final int ENDPOINTS = 3;
    private static final int TALKS = 50;
    private static final int PATIENCE = 1_000;
    private static final List<Proto> CLIENTS = List.of(Proto.TCP, Proto.UDP);
    private static final String FOREIGN = """
            table ip other {
            	map endpoints {
            		type ipv4_addr : ipv4_addr
            		elements = { 192.0.2.1 : 192.0.2.2 }
            	}

            	chain input {
            		type filter hook input priority filter; policy accept;
            		ip saddr 192.0.2.1 drop
            	}
            }
            """;

    @ParameterizedTest
    @EnumSource
    void theTableIsMadeAnewAndNothingForeignIsTouched(LabMap map) throws Exception {
        try (LoneNode node = new LoneNode(map, ENDPOINTS)) {
            List<Server> servers = new ArrayList<>();
            try (ExecutorService clients = Executors.newFixedThreadPool(2)) {
                for (int n = 0; n < ENDPOINTS; n++) {
                    servers.add(Server.start(
                            node.ns(),
                            "E" + n,
                            node.endpoint(n).ip(),
                            node.endpoint(n).port()));
                }
                NetNsCommands commands = new NetNsCommands(node.ns());
                commands.feed(FOREIGN, "nft", "-f", "-");
                String foreign = commands.run("nft", "list", "table", "ip", "other");
                start(node, node.ns(), false);
                AtomicBoolean over = new AtomicBoolean();
                AtomicInteger answers = new AtomicInteger();
                AtomicInteger lost = new AtomicInteger();
                List<Future<?>> talks = new ArrayList<>();
                for (Proto protocol : CLIENTS) {
                    talks.add(clients.submit(() -> talk(node, protocol, answers, lost, over)));
                }
                try {
                    for (boolean counting : new boolean[] {true, false}) {
                        talkOn(answers, talks);
                        int before = lost.get();
                        assertThat(start(node, node.ns(), counting).transactions())
                                .isEqualTo(1);
                        assertThat(start(node, node.ns(), counting)).isEqualTo(SyncResult.Work.NONE);
                        talkOn(answers, talks);
                        assertThat(lost.get() - before).isLessThanOrEqualTo(CLIENTS.size());
                        assertThat(sorted(table(map, commands))).isEqualTo(sorted(fresh(node, map, counting)));
                    }
                } finally {
                    over.set(true);
                }
                for (Future<?> talk : talks) {
                    talk.get();
                }
                assertThat(commands.run("nft", "list", "table", "ip", "other")).isEqualTo(foreign);
            } finally {
                for (Server server : servers) {
                    server.close();
                }
            }
        }
    }

    /** A daemon's start, and its end. */
    private static SyncResult.Work start(LoneNode node, NetNs ns, boolean counting) {
        ServiceView view = node.service(List.of(0, 1, 2)).view();
        TableForm form = new TableForm(view.family(), counting);
        try (ViewSyncer syncer =
                new ViewSyncer(NftablesSyncer.of(form, () -> NlSocket.open(NlProtocol.NETFILTER, ns)))) {
            SyncResult result = syncer.run(node.view(), Map.of(view.key(), Optional.of(view)));
            assertThat(result.result()).isEqualTo(new SyncResult.Result.InForce());
            return result.work();
        }
    }

    /** The table as it is where there was none before. */
    private static String fresh(LoneNode node, LabMap map, boolean counting) throws Exception {
        try (NetNs ns = FreshNetNs.create()) {
            start(node, ns, counting);
            return table(map, new NetNsCommands(ns));
        }
    }

    private static String table(LabMap map, NetNsCommands commands) throws Exception {
        String family = switch (map.family()) {
            case IPV4 -> "ip";
            case IPV6 -> "ip6";
        };
        return commands.run("nft", "list", "table", family, "dualstackd");
    }

    /** Elements in any order, without what they have counted. */
    private static List<String> sorted(String listing) {
        return listing.replaceAll("packets \\d+ bytes \\d+", "")
                .lines()
                .flatMap(line -> List.of(line.split(",")).stream())
                .map(line -> line.replace("elements = {", "").replace("}", "").strip())
                .filter(line -> !line.isEmpty())
                .sorted()
                .toList();
    }

    private static void talkOn(AtomicInteger answers, List<Future<?>> talks) {
        int before = answers.get();
        while (answers.get() < before + TALKS && talks.stream().noneMatch(Future::isDone)) {
            Thread.onSpinWait();
        }
    }

    private static @Nullable Void talk(
            LoneNode node, Proto protocol, AtomicInteger answers, AtomicInteger lost, AtomicBoolean over)
            throws Exception {
        while (!over.get()) {
            Answer answer = Probe.send(node.ns(), node.address(), node.service(), protocol, PATIENCE);
            (answer instanceof Answer.From ? answers : lost).incrementAndGet();
        }
        return null;
    }
}
