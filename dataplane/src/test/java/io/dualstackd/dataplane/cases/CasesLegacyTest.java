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
import io.dualstackd.netlink.io.XtTableClient;
import io.dualstackd.netlink.io.XtablesLock;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.netns.FreshNetNs;
import io.dualstackd.netlink.sys.NetNs;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What we write as iptables legacy is what {@code iptables-legacy-restore} writes: {@code iptables-legacy-save} lists both alike, and we
 * find theirs equal to ours.
 */
@Tag("kernel")
class CasesLegacyTest {
    static List<Path> cases() {
        return CaseFile.all();
    }

    /** Every case step by step, each step as one change of what the kernel holds already; in the end against the tools themselves. */
    @ParameterizedTest
    @MethodSource("cases")
    void theLegacyToolsListWhatWeWrote(Path path) throws Exception {
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
                    scene.get().bringTo(world);
                    assertThat(ListedRules.comparable(scene.get().listed()))
                            .as("%s:%d", path, block.line())
                            .isEqualTo(ListedRules.comparable(IptablesText.print(world.rules())));
                }
            }
        } finally {
            scene.ifPresent(Scene::close);
        }
    }

    /** Taking over rules that were written by the tools, for example by kube-proxy, changes nothing when they are right. */
    @ParameterizedTest
    @MethodSource("cases")
    void rulesOfTheLegacyToolsAreTakenOverAsTheyAre(Path path) throws Exception {
        CaseWorld world = new CaseWorld();
        Optional<Block> last = Optional.empty();
        for (Block block : CaseFile.read(path).blocks()) {
            world.take(block);
            if (block.verb().equals("expect")) {
                last = Optional.of(block);
            }
        }
        if (last.isEmpty()) {
            return;
        }
        try (Scene scene = new Scene(world.node().family())) {
            scene.restore(IptablesText.print(world.rules()).replaceAll(" --mask \\S+ --rsource", ""));
            String before = scene.listed();
            SyncResult report = scene.bringTo(world);
            assertThat(report.comparedAll()).isTrue();
            assertThat(report.ops()).as("%s: operations", path).isZero();
            assertThat(ListedRules.comparable(scene.listed())).isEqualTo(ListedRules.comparable(before));
        }
    }

    /** A node of its own: a namespace, and a pass that programs it. */
    private static final class Scene implements AutoCloseable {
        private final NetNs ns = FreshNetNs.create();
        private final ViewSyncer syncer;
        private final String tools;
        private Map<ServiceKey, ServiceView> before = Map.of();

        Scene(IpFamily family) throws Exception {
            XtablesLock lock = new XtablesLock(Path.of("target/cases-xtables.lock"), Duration.ofSeconds(20));
            syncer = new ViewSyncer(IptablesSyncer.ofLegacy(family, () -> XtTableClient.open(family, ns), lock));
            tools = family == IpFamily.IPV4 ? "iptables-legacy" : "ip6tables-legacy";
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

        void restore(String rules) throws Exception {
            // The tools take a lock that the tools of other namespaces take, too.
            ns.call(() -> Tools.run(rules, "env", "XTABLES_LOCKFILE=target/cases-xtables.lock", tools + "-restore"));
        }

        @Override
        public void close() {
            syncer.close();
            ns.close();
        }
    }
}
