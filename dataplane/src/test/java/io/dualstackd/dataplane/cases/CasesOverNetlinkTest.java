package io.dualstackd.dataplane.cases;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.cases.CaseFile.Block;
import io.dualstackd.dataplane.diff.SyncResult;
import io.dualstackd.dataplane.diff.SyncResult.Result;
import io.dualstackd.dataplane.io.IptablesSyncer;
import io.dualstackd.dataplane.io.ViewSyncer;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.model.ServiceView;
import io.dualstackd.dataplane.rules.iptables.IptablesText;
import io.dualstackd.netlink.io.NlProtocol;
import io.dualstackd.netlink.io.NlSocket;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.netns.FreshNetNs;
import io.dualstackd.netlink.sys.NetNs;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What we write through netlink is what {@code iptables-restore} writes: the tools list it alike, and we find theirs equal to ours. */
@Tag("kernel")
class CasesOverNetlinkTest {
    static List<Path> cases() {
        return CaseFile.all();
    }

    /** Every case step by step, each step as one change of what the kernel holds already. */
    @ParameterizedTest
    @MethodSource("cases")
    void theToolsListWhatWeWrote(Path path) throws Exception {
        CaseWorld world = new CaseWorld();
        Optional<Scene> scene = Optional.empty();
        try {
            for (Block block : CaseFile.read(path).blocks()) {
                world.take(block);
                if (block.verb().equals("node")) {
                    scene.ifPresent(Scene::close);
                    scene = Optional.of(new Scene(world.node().family()));
                }
                if (scene.isPresent() && block.verb().equals("expect")) {
                    String where = path + ":" + block.line();
                    scene.get().bringTo(world);
                    assertThat(ListedRules.comparable(scene.get().listed()))
                            .as(where)
                            .isEqualTo(ListedRules.comparable(IptablesText.print(world.rules())));
                    scene.get().everyToolListsIt(where);
                }
            }
        } finally {
            scene.ifPresent(Scene::close);
        }
    }

    /** Taking over rules that were written by the tools, for example by kube-proxy, changes nothing when they are right. */
    @ParameterizedTest
    @MethodSource("cases")
    void rulesOfTheToolsAreTakenOverAsTheyAre(Path path) throws Exception {
        CaseWorld world = new CaseWorld();
        for (Block block : CaseFile.read(path).blocks()) {
            world.take(block);
            if (block.verb().equals("expect")) {
                try (Scene scene = new Scene(world.node().family())) {
                    // Only iptables-save writes the mask, and read from there IPv4's fills other bits of the
                    // structure.
                    scene.restore(IptablesText.print(world.rules()).replaceAll(" --mask \\S+ --rsource", ""));
                    SyncResult report = scene.bringTo(world);
                    assertThat(report.comparedAll()).isTrue();
                    assertThat(report.ops())
                            .as("%s:%d: operations", path, block.line())
                            .isZero();
                }
            }
        }
    }

    /** A node of its own: a namespace, and a pass that programs it. */
    private static final class Scene implements AutoCloseable {
        private final NetNs ns = FreshNetNs.create();
        private final ViewSyncer syncer;
        private final String tools;
        private Map<ServiceKey, ServiceView> before = Map.of();

        Scene(IpFamily family) throws Exception {
            syncer = new ViewSyncer(IptablesSyncer.of(family, () -> NlSocket.open(NlProtocol.NETFILTER, ns)));
            tools = family == IpFamily.IPV4 ? "iptables-nft" : "ip6tables-nft";
        }

        SyncResult bringTo(CaseWorld world) {
            Map<ServiceKey, ServiceView> now =
                    world.services().stream().collect(Collectors.toMap(ServiceView::key, view -> view));
            Map<ServiceKey, Optional<ServiceView>> changed = new HashMap<>();
            before.keySet().forEach(key -> changed.put(key, Optional.empty()));
            now.forEach((key, view) -> changed.put(key, Optional.of(view)));
            changed.entrySet()
                    .removeIf(change -> change.getValue().equals(Optional.ofNullable(before.get(change.getKey()))));
            before = now;
            SyncResult report = syncer.run(world.node(), changed);
            assertThat(report.result()).isEqualTo(new Result.InForce());
            return report;
        }

        String listed() throws Exception {
            return ns.call(() -> Tools.run("", tools + "-save"));
        }

        /** Every way an admin may look: each ends well, and none finds something it does not understand. */
        void everyToolListsIt(String where) throws Exception {
            for (String table : List.of("nat", "filter", "mangle")) {
                String listed = ns.call(() -> Tools.run("", tools, "-t", table, "-L", "-n", "-v"));
                assertThat(listed)
                        .as(where)
                        .doesNotContainIgnoringCase("incompatible")
                        .doesNotContain("[unsupported");
            }
            assertThat(ns.call(() -> Tools.run("", "nft", "list", "ruleset")))
                    .as(where)
                    .contains("KUBE-SERVICES");
            assertThat(ns.call(() -> Tools.run("", "nft", "-j", "list", "ruleset")))
                    .as(where)
                    .startsWith("{");
        }

        void restore(String rules) throws Exception {
            ns.call(() -> Tools.run(rules, tools + "-restore"));
        }

        @Override
        public void close() {
            syncer.close();
            ns.close();
        }
    }
}
