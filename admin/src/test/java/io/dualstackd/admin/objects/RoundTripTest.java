package io.dualstackd.admin.objects;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.admin.OwnNode;
import io.dualstackd.admin.Reports;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.kubeapi.objects.Dialect;
import io.dualstackd.kubeapi.objects.Service;
import io.dualstackd.kubeapi.store.io.Store;
import io.dualstackd.netlink.ip.IpPrefix;
import io.dualstackd.standalone.edit.EditMode;
import io.dualstackd.standalone.edit.EditResult;
import io.dualstackd.standalone.edit.FieldValidation;
import io.dualstackd.standalone.edit.NamedText;
import io.dualstackd.standalone.ledger.LedgerSettings;
import io.dualstackd.standalone.ledger.io.ServiceLedger;
import io.dualstackd.standalone.manifest.AdmissionStage;
import io.dualstackd.standalone.manifest.io.ManifestFolder;
import io.dualstackd.standalone.serviceapi.Semantics;
import io.dualstackd.supervision.io.Supervisor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code get -o yaml | apply -f -} over many Services: nothing is different afterwards. */
@Tag("slow")
final class RoundTripTest {
    private static final int SERVICES = 60;

    @TempDir
    private Path tmp;

    private final Random random = new Random(17);
    private final Store store = new Store();

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void nothingIsDifferentAfterwards(boolean allocated) throws IOException {
        Path folder = Files.createDirectory(tmp.resolve("manifests"));
        for (int i = 0; i < SERVICES; i += 5) {
            StringBuilder text = new StringBuilder("# Keep this.\n");
            for (int j = i; j < i + 5; j++) {
                text.append("---\n").append(service(j, !allocated));
            }
            Files.writeString(folder.resolve("m" + i + ".yaml"), text);
        }
        Optional<ServiceLedger> ledger = allocated ? Optional.of(ledger()) : Optional.empty();
        try (ManifestFolder manifests = ManifestFolder.watched(
                folder,
                store,
                Optional.empty(),
                Duration.ofHours(1),
                ManifestFolder.Progress.UNWATCHED,
                allocated ? Dialect.WRITTEN : Dialect.STORED,
                ledger.<AdmissionStage>map(l -> l).orElse(AdmissionStage.NONE),
                Supervisor.none())) {
            assertThat(manifests.problems()).noneMatch(problem -> problem.isError());
            Map<ServiceKey, Service> before = services();
            assertThat(before).hasSize(SERVICES);
            Map<String, String> files = files(folder);
            for (Listing.Format format : List.of(Listing.Format.YAML, Listing.Format.JSON)) {
                String all = get(manifests, ledger, format, Optional.empty());
                apply(manifests, all, allocated);
                for (ServiceKey key : before.keySet()) {
                    apply(manifests, get(manifests, ledger, format, Optional.of(key)), allocated);
                }
            }
            assertThat(services()).isEqualTo(before);
            if (!allocated) {
                assertThat(files(folder)).isEqualTo(files);
            }
        } finally {
            ledger.ifPresent(ServiceLedger::close);
        }
    }

    private ServiceLedger ledger() throws IOException {
        return ServiceLedger.open(
                tmp.resolve("state"),
                new LedgerSettings(
                        List.of(IpPrefix.parse("10.96.0.0/16"), IpPrefix.parse("fd00:96::/112")),
                        30_000,
                        32_767,
                        Semantics.KUBERNETES));
    }

    private void apply(ManifestFolder manifests, String text, boolean allocated) {
        EditResult editResult = manifests
                .commands()
                .apply(List.of(new NamedText("stdin", text)), "default", EditMode.NOW, FieldValidation.STRICT);
        assertThat(editResult).as(text).isInstanceOfSatisfying(EditResult.Written.class, written -> {
            if (!allocated) {
                assertThat(written.lines()).allMatch(line -> line.endsWith(" unchanged"));
            }
        });
    }

    private String get(
            ManifestFolder manifests, Optional<ServiceLedger> ledger, Listing.Format format, Optional<ServiceKey> key) {
        ObjectsReport report = ObjectsReportBuilder.manifests(store, manifests)
                .ledger(ledger.map(ServiceLedger::view))
                .report();
        Listing.Result result = new Listing(
                        List.of(new Listing.Target(ObjectKind.SERVICES, key.map(ServiceKey::name))),
                        format,
                        key.map(ServiceKey::namespace),
                        LabelSelector.ALL)
                .of(new KnownObjects(report, Optional.empty(), OwnNode.of(Reports.healthy())));
        assertThat(result).isInstanceOf(Listing.Result.Text.class);
        return ((Listing.Result.Text) result).text();
    }

    private Map<ServiceKey, Service> services() {
        Map<ServiceKey, Service> services = new HashMap<>();
        store.services()
                .forEach(state -> state.service()
                        .ifPresent(one -> services.put(new ServiceKey(one.namespace(), one.name()), one)));
        return services;
    }

    private static Map<String, String> files(Path folder) throws IOException {
        Map<String, String> texts = new HashMap<>();
        try (var list = Files.list(folder)) {
            for (Path file : list.toList()) {
                texts.put(file.toString(), Files.readString(file));
            }
        }
        return texts;
    }

    private boolean chance() {
        return random.nextBoolean();
    }

    /** @param addressed whether the text names addresses and node ports, as it must where nothing gives them */
    private String service(int number, boolean addressed) {
        String type =
                List.of("ClusterIP", "NodePort", "LoadBalancer", "ExternalName").get(random.nextInt(4));
        boolean balancer = type.equals("LoadBalancer");
        List<String> spec = new ArrayList<>(List.of("type: " + type));
        if (type.equals("ExternalName")) {
            spec.add("externalName: \"e" + number + ".example.com\"");
        } else {
            boolean dual = chance();
            spec.add("ipFamilyPolicy: " + (dual ? "RequireDualStack" : "SingleStack"));
            if (addressed) {
                spec.add("clusterIP: 10.96.1." + (number + 1));
                spec.add("clusterIPs: [10.96.1." + (number + 1) + (dual ? ", 'fd00:96::" + (number + 1) + "'" : "")
                        + "]");
                spec.add("ipFamilies: [IPv4" + (dual ? ", IPv6" : "") + "]");
            }
            String nodePort = addressed && !type.equals("ClusterIP") ? ", nodePort: " + (30_000 + number) : "";
            String target =
                    List.of(", targetPort: 8080", ", targetPort: web", "").get(random.nextInt(3));
            spec.add("ports: [{name: a, port: 80" + target + nodePort + ", appProtocol: http}]");
            if (chance()) {
                spec.add("selector: {app: \"" + (chance() ? "yes" : "1") + "\"}");
            }
            if (chance()) {
                spec.add("sessionAffinity: ClientIP, sessionAffinityConfig: {clientIP: {timeoutSeconds: 77}}");
            }
            if (!type.equals("ClusterIP") && chance()) {
                spec.add("externalTrafficPolicy: " + (chance() ? "Local" : "Cluster"));
            }
            if (chance()) {
                spec.add("internalTrafficPolicy: Local");
            }
            if (chance()) {
                spec.add("externalIPs: [192.0.2." + (number + 1) + "]");
            }
            if (balancer) {
                spec.add("loadBalancerSourceRanges: [198.51.100.0/24, \"2001:db8::/64\"]");
                spec.add("allocateLoadBalancerNodePorts: true");
            }
            if (chance()) {
                spec.add("publishNotReadyAddresses: true");
            }
        }
        return "# Service " + number + "\napiVersion: v1\nkind: Service\nmetadata:\n  name: s" + number + "\n"
                + (chance() ? "  namespace: team\n" : "")
                + "  labels: {app: s" + number + ", quoted: \"true\"}\n"
                + (chance() ? "  annotations: {note: \"a: b # c\", lines: \"one\\ntwo\"}\n" : "")
                + "spec: {" + String.join(", ", spec) + "}\n"
                + (balancer
                        ? "status: {loadBalancer: {ingress: [{ip: 203.0.113." + (number + 1) + ", ipMode: VIP}]}}\n"
                        : "");
    }
}
