package io.dualstackd.standalone.manifest.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.kubeapi.objects.Dialect;
import io.dualstackd.kubeapi.objects.ObjectKey;
import io.dualstackd.kubeapi.objects.Service;
import io.dualstackd.kubeapi.store.StoreOverlay;
import io.dualstackd.kubeapi.store.io.Store;
import io.dualstackd.netlink.ip.IpPrefix;
import io.dualstackd.standalone.edit.EditMode;
import io.dualstackd.standalone.edit.EditResult;
import io.dualstackd.standalone.edit.FieldValidation;
import io.dualstackd.standalone.edit.NamedText;
import io.dualstackd.standalone.edit.ObjectText;
import io.dualstackd.standalone.ledger.LedgerSettings;
import io.dualstackd.standalone.ledger.io.ServiceLedger;
import io.dualstackd.standalone.manifest.AdmissionStage;
import io.dualstackd.standalone.serviceapi.Semantics;
import io.dualstackd.supervision.io.Supervisor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands that change a real folder, judged by a real ledger. */
@Tag("slow")
final class ManifestCommandsTest {
    @TempDir
    private Path tmp;

    private Path folder = Path.of("/");
    private final Store store = new Store();
    private Optional<ServiceLedger> ledger = Optional.empty();
    private Optional<ManifestFolder> manifests = Optional.empty();

    @BeforeEach
    void makeFolder() throws IOException {
        folder = Files.createDirectory(tmp.resolve("manifests"));
    }

    @AfterEach
    void close() {
        manifests.ifPresent(ManifestFolder::close);
        ledger.ifPresent(ServiceLedger::close);
    }

    /** Standalone, with addresses to give. */
    private ManifestCommands commands(String... networks) throws IOException {
        ledger = networks.length == 0
                ? Optional.empty()
                : Optional.of(ServiceLedger.open(
                        tmp.resolve("state"),
                        settings(List.of(networks).stream().map(IpPrefix::parse).toList())));
        ManifestFolder watched = ManifestFolder.watched(
                folder,
                store,
                Optional.empty(),
                Duration.ofHours(1),
                ManifestFolder.Progress.UNWATCHED,
                ledger.isPresent() ? Dialect.WRITTEN : Dialect.STORED,
                ledger.<AdmissionStage>map(l -> l).orElse(AdmissionStage.NONE),
                Supervisor.none());
        manifests = Optional.of(watched);
        return watched.commands();
    }

    private static LedgerSettings settings(List<IpPrefix> ranges) {
        return new LedgerSettings(ranges, 30_000, 32_767, Semantics.KUBERNETES);
    }

    private static String service(String name, String spec) {
        return "apiVersion: v1\nkind: Service\nmetadata: {name: " + name + "}\nspec: {ports: [{port: 80}]" + spec
                + "}\n";
    }

    private static String cidr(String name, String network) {
        return "apiVersion: networking.k8s.io/v1\nkind: ServiceCIDR\nmetadata: {name: " + name + "}\nspec: {cidrs: ["
                + network + "]}\n";
    }

    private static List<String> apply(ManifestCommands commands, String text) {
        return lines(commands.apply(
                List.of(new NamedText("given.yaml", text)), "default", EditMode.NOW, FieldValidation.WARN));
    }

    private static List<String> lines(EditResult editResult) {
        return switch (editResult) {
            case EditResult.Written(List<String> lines, List<String> ignored) -> lines;
            case EditResult.Refused(List<String> problems, List<String> reasons) ->
                Stream.concat(problems.stream(), reasons.stream())
                        .map(r -> "refused: " + r)
                        .toList();
        };
    }

    private Optional<Service> inForce(String name) {
        return store.service(new ServiceKey("default", name)).service();
    }

    private List<String> files() throws IOException {
        try (var list = Files.list(folder)) {
            return list.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    private static ObjectKey key(String name) {
        return new ObjectKey(ObjectKey.Kind.SERVICE, "default", name);
    }

    /** The name of an object may have 253 characters, that of a file 255 bytes. */
    @Test
    void theLongestNamesHaveFiles() throws IOException {
        ManifestCommands commands = commands("10.96.0.0/24");
        String namespace = "n".repeat(63);
        String longest = "a".repeat(252);
        for (String name : List.of(longest + "x", longest + "y")) {
            assertThat(apply(commands, slice(namespace, name, "10.0.0.1")))
                    .containsExactly("endpointslice.discovery.k8s.io/" + name + " created");
        }
        assertThat(files()).hasSize(2).allMatch(file -> file.startsWith("endpointslice." + namespace + ".aaa"));
        assertThat(apply(commands, slice(namespace, longest + "x", "10.0.0.2")))
                .containsExactly("endpointslice.discovery.k8s.io/" + longest + "x configured");
        assertThat(lines(commands.delete(
                        new ObjectKey(ObjectKey.Kind.ENDPOINT_SLICE, namespace, longest + "x"), false, false)))
                .hasSize(1);
        assertThat(files()).hasSize(1);
    }

    private static String slice(String namespace, String name, String ip) {
        return "apiVersion: discovery.k8s.io/v1\nkind: EndpointSlice\nmetadata: {name: " + name + ", namespace: "
                + namespace + ", labels: {kubernetes.io/service-name: web}}\naddressType: IPv4\nports: [{port: 80}]\n"
                + "endpoints: [{addresses: [" + ip + "]}]\n";
    }

    @Test
    void aFileWithTheLongestNameIsChangedAndRemoved() throws IOException {
        Path file = folder.resolve("f".repeat(250) + ".yaml");
        Files.writeString(file, service("web", ""));
        ManifestCommands commands = commands("10.96.0.0/24");
        assertThat(apply(commands, service("web", ", type: NodePort"))).containsExactly("service/web configured");
        assertThat(file).content().contains("NodePort");
        assertThat(files()).hasSize(1);
        assertThat(lines(commands.delete(key("web"), false, false)))
                .containsExactly("service \"web\" deleted from default namespace");
        assertThat(files()).isEmpty();
    }

    @Test
    void completeLifecycle() throws IOException {
        ManifestCommands commands = commands("10.96.0.0/24", "fd00:96::/112");
        String web = service("web", ", ipFamilyPolicy: PreferDualStack");
        assertThat(apply(commands, web)).containsExactly("service/web created");
        assertThat(inForce("web").orElseThrow().clusterIps()).hasSize(2);
        assertThat(files()).containsExactly("service.default.web.yaml");
        assertThat(folder.resolve("service.default.web.yaml")).content().isEqualTo(web);
        assertThat(apply(commands, "# again\n" + web)).containsExactly("service/web unchanged");
        var before = inForce("web").orElseThrow().clusterIps();
        assertThat(apply(commands, service("web", ", type: NodePort, ipFamilyPolicy: SingleStack")))
                .containsExactly("service/web configured");
        assertThat(inForce("web").orElseThrow().clusterIps()).containsExactly(before.getFirst());
        assertThat(inForce("web").orElseThrow().ports().getFirst().nodePort()).isBetween(30_000, 32_767);
        assertThat(lines(commands.delete(key("web"), false, false)))
                .containsExactly("service \"web\" deleted from default namespace");
        assertThat(inForce("web")).isEmpty();
        assertThat(files()).isEmpty();
        assertThat(lines(commands.delete(key("web"), false, false)))
                .singleElement()
                .asString()
                .startsWith("refused: Service default/web is in no file of " + folder);
        assertThat(lines(commands.delete(key("web"), true, false))).isEmpty();
    }

    @Test
    void aNameThatLeavesTheFolderOrHidesIsRefused() throws IOException {
        ManifestCommands commands = commands("10.96.0.0/24");
        StringBuilder many = new StringBuilder();
        for (int i = 0; i < 20; i++) {
            many.append("---\n").append(service("s" + i, ""));
        }
        List<String> names = List.of(
                "../evil.yaml",
                tmp.resolve("evil.yaml").toString(),
                "sub/evil.yaml",
                "..",
                ".",
                "",
                ".hidden.yaml",
                "two\nlines.yaml",
                "\u001b[2Jevil.yaml",
                "a\0b.yaml",
                "two words.yaml",
                "a".repeat(300) + ".yaml");
        for (String name : names) {
            assertThat(lines(commands.apply(
                            List.of(new NamedText(name, many.toString())),
                            "default",
                            EditMode.NOW,
                            FieldValidation.WARN)))
                    .as(name)
                    .singleElement()
                    .asString()
                    .startsWith("refused: \"")
                    .contains("is no name for a text to apply")
                    .doesNotContain("\n", "\u001b", "\0");
            assertThat(lines(commands.delete(List.of(new NamedText(name, service("s1", ""))), "default", true, false)))
                    .as(name)
                    .singleElement()
                    .asString()
                    .contains("is no name for a text to apply");
        }
        assertThat(files()).isEmpty();
        try (var outside = Files.list(tmp)) {
            assertThat(outside.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrder("manifests", "state");
        }
        assertThat(lines(commands.apply(
                        List.of(new NamedText("many.yaml", many.toString())),
                        "default",
                        EditMode.NOW,
                        FieldValidation.WARN)))
                .hasSize(20);
        assertThat(files()).containsExactly("many.yaml");
    }

    @Test
    void nothingIsWrittenUnlessAllIsTaken() throws IOException {
        ManifestCommands commands = commands("10.96.0.0/28");
        String good = service("good", "");
        assertThat(apply(commands, good + "---\n" + service("dual", ", ipFamilyPolicy: RequireDualStack")))
                .singleElement()
                .asString()
                .startsWith("refused: given.yaml:")
                .contains("(document 2)", "spec.ipFamilyPolicy", "RequireDualStack", "not configured for dual-stack");
        assertThat(apply(commands, good + "---\n" + service("bad", ", clusterIP: 1")))
                .singleElement()
                .asString()
                .contains("given.yaml:9 (document 2): error: spec.clusterIP: \"1\": must be a text");
        assertThat(apply(commands, service("far", ", clusterIP: 10.97.0.1")))
                .singleElement()
                .asString()
                .contains("spec.clusterIPs", "10.97.0.1");
        assertThat(apply(commands, "kind: Deployment\napiVersion: apps/v1\nmetadata: {name: x}\n"))
                .hasSize(2)
                .last()
                .asString()
                .contains("no object in it that is used here");
        assertThat(files()).isEmpty();
        assertThat(inForce("good")).isEmpty();
        assertThat(manifests.orElseThrow().problems()).isEmpty();
        // What was only tried has taken nothing.
        for (int i = 0; i < 20; i++) {
            assertThat(commands.apply(
                            List.of(new NamedText("x", service("try", ""))),
                            "default",
                            EditMode.DRY_RUN,
                            FieldValidation.WARN))
                    .isInstanceOf(EditResult.Written.class);
        }
        assertThat(files()).isEmpty();
        assertThat(apply(commands, service("a", ", clusterIP: 10.96.0.7"))).containsExactly("service/a created");
        assertThat(apply(commands, service("b", ", clusterIP: 10.96.0.7")))
                .singleElement()
                .asString()
                .contains("10.96.0.7", "already allocated");
        assertThat(inForce("b")).isEmpty();
    }

    @Test
    void aFileOfManyObjectsKeepsTheOthers() throws IOException {
        Path shop = folder.resolve("shop.yaml");
        String text = "# The shop.\n---\n# web\n" + service("web", "") + "---\n# db\n" + service("db", "");
        Files.writeString(shop, text);
        Files.setPosixFilePermissions(shop, PosixFilePermissions.fromString("rw-r-----"));
        ManifestCommands commands = commands("10.96.0.0/24");
        assertThat(apply(
                        commands,
                        service("web", ", type: NodePort") + "---\n" + service("db", "") + "---\n"
                                + service("new", "")))
                .containsExactly("service/web configured", "service/db unchanged", "service/new created");
        assertThat(shop).content().isEqualTo(text.replaceFirst("port: 80}\\]", "port: 80}], type: NodePort"));
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(shop)))
                .isEqualTo("rw-r-----");
        assertThat(files()).containsExactly("service.default.new.yaml", "shop.yaml");
        assertThat(lines(commands.delete(
                        List.of(new NamedText("x", service("web", "") + "---\n" + service("new", ""))),
                        "default",
                        false,
                        false)))
                .containsExactly(
                        "service \"web\" deleted from default namespace",
                        "service \"new\" deleted from default namespace");
        assertThat(shop).content().isEqualTo("# The shop.\n---\n# db\n" + service("db", ""));
        assertThat(store.size().services()).isEqualTo(1);
        assertThat(manifests.orElseThrow().problems()).isEmpty();
    }

    @Test
    void aCidrComesAndGoes() throws IOException {
        ManifestCommands commands = commands("10.96.0.0/30");
        assertThat(apply(commands, service("a", "") + "---\n" + service("b", "")))
                .hasSize(2);
        assertThat(apply(commands, service("c", "")))
                .singleElement()
                .asString()
                .contains("no IPv4 address is free: add a ServiceCIDR");
        assertThat(apply(commands, cidr("more", "10.97.0.0/24") + "---\n" + service("c", "")))
                .containsExactly("servicecidr.networking.k8s.io/more created", "service/c created");
        assertThat(inForce("c").orElseThrow().clusterIps().getFirst().toString())
                .startsWith("10.97.0.");
        assertThat(lines(commands.delete(new ObjectKey(ObjectKey.Kind.SERVICE_CIDR, "", "more"), false, false)))
                .containsExactly("servicecidr.networking.k8s.io \"more\" deleted");
        assertThat(ledger.orElseThrow().view().waiting()).singleElement().satisfies(waiting -> {
            assertThat(waiting.serviceCidr()).isEqualTo("more");
            assertThat(waiting.keptBy()).isPresent();
        });
    }

    @Test
    void withoutALedgerServicesAreTakenAsTheyAreWritten() throws IOException {
        ManifestCommands commands = commands();
        assertThat(apply(commands, service("web", ", clusterIP: 10.0.0.1"))).containsExactly("service/web created");
        assertThat(apply(commands, service("web", ", clusterIP: nonsense")))
                .singleElement()
                .asString()
                .startsWith("refused");
        assertThat(inForce("web").orElseThrow().clusterIps()).hasSize(1);
    }

    @Test
    void aDestinationInUseIsRefused() throws IOException {
        ManifestCommands commands = commands();
        String shop = service("shop", ", clusterIP: 10.0.0.1, externalIPs: [192.0.2.9]");
        assertThat(apply(commands, shop)).containsExactly("service/shop created");
        assertThat(lines(commands.apply(
                        List.of(new NamedText("x.yaml", service("athief", ", clusterIP: 10.0.0.1"))),
                        "default",
                        EditMode.NOW,
                        FieldValidation.WARN)))
                .containsExactly(
                        "refused: x.yaml:1 (document 1): error: 10.0.0.1:80/tcp belongs to Service default/shop at"
                                + " service.default.shop.yaml:1 (document 1), which had it first and keeps it"
                                + " (Service default/athief)");
        assertThat(lines(commands.apply(
                        List.of(new NamedText(
                                "x.yaml", service("athief", ", clusterIP: 10.0.0.2, externalIPs: [192.0.2.9]"))),
                        "default",
                        EditMode.DRY_RUN,
                        FieldValidation.WARN)))
                .singleElement()
                .asString()
                .contains("192.0.2.9:80/tcp belongs to Service default/shop");
        assertThat(lines(commands.apply(
                        List.of(new NamedText(
                                "x.yaml",
                                service("a", ", clusterIP: 10.0.0.3") + "---\n"
                                        + service("b", ", clusterIP: 10.0.0.3"))),
                        "default",
                        EditMode.NOW,
                        FieldValidation.WARN)))
                .singleElement()
                .asString()
                .contains("10.0.0.3:80/tcp belongs to Service default/a");
        assertThat(files()).containsExactly("service.default.shop.yaml");
        // Another port of the same address is free.
        assertThat(apply(commands, service("aside", ", clusterIP: 10.0.0.1").replace("{port: 80}", "{port: 81}")))
                .containsExactly("service/aside created");
        // An address may change hands within one text.
        assertThat(apply(
                        commands,
                        service("heir", ", clusterIP: 10.0.0.1") + "---\n" + service("shop", ", clusterIP: 10.0.0.7")))
                .containsExactly("service/heir created", "service/shop configured");
        assertThat(store.disputes()).isEmpty();
    }

    @Test
    void refusesExternalAddressInUse() throws IOException {
        ManifestCommands commands = commands("10.96.0.0/24");
        assertThat(apply(commands, service("shop", ", externalIPs: [192.0.2.9]")))
                .containsExactly("service/shop created");
        assertThat(apply(commands, service("athief", ", externalIPs: [192.0.2.9]")))
                .singleElement()
                .asString()
                .startsWith("refused: ")
                .contains("192.0.2.9:80/tcp belongs to Service default/shop");
        assertThat(apply(commands, service("shop", ", externalIPs: [192.0.2.9], sessionAffinity: ClientIP")))
                .containsExactly("service/shop configured");
    }

    @Test
    void holdersOfANameAndAnAddressKeepThemAfterARestart() throws IOException {
        Path state = tmp.resolve("state");
        Files.writeString(folder.resolve("m.yaml"), service("shop", ", clusterIP: 10.0.0.1"));
        try (ManifestFolder first = stored(new Store(StoreOverlay.NOTHING, Optional.of(state)), state)) {
            assertThat(first.problems()).isEmpty();
        }
        // While no daemon runs, files are added whose names and Services sort earlier.
        Files.writeString(folder.resolve("a.yaml"), service("athief", ", clusterIP: 10.0.0.1"));
        Files.writeString(folder.resolve("b.yaml"), service("shop", ", clusterIP: 10.0.0.66"));
        for (int life = 0; life < 2; life++) {
            Store again = new Store(StoreOverlay.NOTHING, Optional.of(state));
            try (ManifestFolder second = stored(again, state)) {
                assertThat(again.disputes())
                        .singleElement()
                        .hasToString(
                                "DestinationConflict[what=10.0.0.1:80/tcp, holder=default/shop, loser=default/athief]");
                assertThat(second.problems().stream().map(Object::toString))
                        .containsExactly(
                                "b.yaml:1 (document 1): Service default/shop is already defined at m.yaml:1"
                                        + " (document 1), which stays in force; remove one of the two"
                                        + " (Service default/shop)",
                                "a.yaml:1 (document 1): 10.0.0.1:80/tcp belongs to Service default/shop at m.yaml:1"
                                        + " (document 1), which had it first and answers; Service default/athief does"
                                        + " not get it (Service default/athief)");
            }
        }
        // With the mended files nothing is remembered.
        Files.delete(folder.resolve("a.yaml"));
        Files.delete(folder.resolve("b.yaml"));
        stored(new Store(StoreOverlay.NOTHING, Optional.of(state)), state).close();
        try (var left = Files.list(state)) {
            assertThat(left.map(file -> file.getFileName().toString())).containsExactly("last-good");
        }
    }

    @Test
    void holdersOfNamesThatCannotBeSavedAreSavedLater() throws IOException {
        Path state = Files.createDirectory(tmp.resolve("state"));
        Path obstacle = Files.createDirectory(state.resolve(".holders-of-names"));
        Files.writeString(folder.resolve("m.yaml"), service("shop", ", clusterIP: 10.0.0.1"));
        Files.writeString(folder.resolve("z.yaml"), service("shop", ", clusterIP: 10.0.0.2"));
        try (ManifestFolder again = stored(store, state)) {
            assertThat(state.resolve("holders-of-names")).doesNotExist();
            Files.delete(obstacle);
            again.scan(Optional.empty());
            assertThat(state.resolve("holders-of-names")).content().isEqualTo("m.yaml\tService default/shop\n");
        }
    }

    private ManifestFolder stored(Store into, Path state) throws IOException {
        return ManifestFolder.watched(
                folder,
                into,
                Optional.of(state),
                Duration.ofHours(1),
                ManifestFolder.Progress.UNWATCHED,
                Dialect.STORED,
                AdmissionStage.NONE,
                Supervisor.none());
    }

    @Test
    void reportsConflicts() throws IOException {
        Files.writeString(folder.resolve("a.yaml"), service("web", ""));
        Files.writeString(folder.resolve("b.yaml"), service("web", ""));
        ManifestCommands commands = commands("10.96.0.0/24");
        EditResult result = commands.apply(
                List.of(new NamedText("x", service("web", ", type: NodePort"))),
                "default",
                EditMode.NOW,
                FieldValidation.WARN);
        assertThat(result).isInstanceOfSatisfying(EditResult.Written.class, written -> {
            assertThat(written.lines()).containsExactly("service/web configured");
            assertThat(written.warnings())
                    .containsExactly(
                            "warning: Service default/web stands in a.yaml and b.yaml, of which the first counts;"
                                    + " remove it from the others");
        });
        assertThat(inForce("web").orElseThrow().type()).isEqualTo(Service.Type.NODE_PORT);
        assertThat(folder.resolve("b.yaml")).content().isEqualTo(service("web", ""));
        assertThat(lines(commands.delete(key("web"), false, false))).hasSize(1);
        assertThat(files()).isEmpty();
    }

    @Test
    void refusesWhileAFileCannotBeParsed() throws IOException {
        Files.writeString(folder.resolve("a.yaml"), "x: [\n");
        ManifestCommands commands = commands("10.96.0.0/24");
        assertThat(apply(commands, service("web", "")))
                .singleElement()
                .asString()
                .contains("may stand in a file", "repair it first");
        Files.delete(folder.resolve("a.yaml"));
        // A wrong text is mended by a good one.
        Files.writeString(folder.resolve("c.yaml"), service("web", ", clusterIP: 7"));
        assertThat(apply(commands, service("web", ""))).containsExactly("service/web configured");
        assertThat(folder.resolve("c.yaml")).content().isEqualTo(service("web", ""));
    }

    @Test
    void anObjectOfAMistypedKindIsReplacedWhereItStands() throws IOException {
        ManifestCommands commands = commands("10.96.0.0/24");
        assertThat(apply(commands, service("web", ""))).containsExactly("service/web created");
        String ip = inForce("web").orElseThrow().clusterIps().getFirst().toString();
        Path file = folder.resolve(files().getFirst());
        Files.writeString(file, service("web", "").replace("Service", "Servce"));
        assertThat(apply(commands, service("db", ""))).containsExactly("service/db created");
        assertThat(inForce("web").orElseThrow().clusterIps().getFirst()).hasToString(ip);
        assertThat(apply(commands, service("x", "").replace("Service", "Servce")))
                .singleElement()
                .asString()
                .startsWith("refused: ")
                .contains("did you mean v1 Service?");
        assertThat(apply(commands, service("web", ", clusterIP: " + ip))).containsExactly("service/web configured");
        assertThat(Files.readString(file)).isEqualTo(service("web", ", clusterIP: " + ip));
        assertThat(files()).hasSize(2);
    }

    @Test
    void anObjectOfAMistypedKindIsNotDeletedByAGuess() throws IOException {
        ManifestCommands commands = commands("10.96.0.0/24");
        apply(commands, service("web", ""));
        String mistyped = service("web", "").replace("Service", "Servce");
        for (String text : List.of(mistyped, mistyped + "---\n" + service("web", ""))) {
            EditResult result = commands.delete(List.of(new NamedText("given.yaml", text)), "default", true, false);
            assertThat(lines(result))
                    .singleElement()
                    .asString()
                    .contains("\"v1 Servce\": ", "did you mean v1 Service?");
        }
        assertThat(inForce("web")).isPresent();
        // In the folder it is certain which object is meant: the one that the file had.
        Files.writeString(folder.resolve(files().getFirst()), mistyped);
        assertThat(lines(commands.delete(new ObjectKey(ObjectKey.Kind.SERVICE, "default", "web"), false, false)))
                .containsExactly("service \"web\" deleted from default namespace");
        assertThat(files()).isEmpty();
        assertThat(inForce("web")).isEmpty();
    }

    @Test
    void aLinkStaysALinkAndItsTargetIsReplaced() throws IOException {
        ManifestCommands commands = commands("10.96.0.0/24");
        Path elsewhere = Files.createDirectory(tmp.resolve("elsewhere"));
        Path target = elsewhere.resolve("real.yaml");
        Path link = folder.resolve("link.yaml");
        Files.writeString(target, service("db", "") + "---\n" + service("web", ""));
        Files.createSymbolicLink(elsewhere.resolve("between.yaml"), Path.of("real.yaml"));
        Files.createSymbolicLink(link, Path.of("../elsewhere/between.yaml"));
        assertThat(apply(commands, service("web", ", type: NodePort"))).containsExactly("service/web configured");
        assertThat(link).isSymbolicLink();
        assertThat(target)
                .isRegularFile()
                .content()
                .isEqualTo(service("db", "") + "---\n" + service("web", ", type: NodePort"));
        assertThat(inForce("web").orElseThrow().type()).isEqualTo(Service.Type.NODE_PORT);
        String text = ((ObjectText.Found) commands.text(key("db"))).text();
        assertThat(lines(commands.replace(
                        key("db"),
                        ObjectText.version(text),
                        new NamedText("e", "# new\n" + text),
                        FieldValidation.WARN)))
                .containsExactly("service/db edited");
        assertThat(target).content().startsWith("# new\napiVersion");
        assertThat(lines(commands.delete(key("db"), false, false)))
                .containsExactly("service \"db\" deleted from default namespace");
        assertThat(link).isSymbolicLink();

        Files.setPosixFilePermissions(elsewhere, PosixFilePermissions.fromString("r-xr-xr-x"));
        try {
            String before = Files.readString(target);
            assertThat(apply(commands, service("web", "")))
                    .singleElement()
                    .asString()
                    .contains(
                            link + " cannot be changed: it is a link to " + target.toRealPath(),
                            "may not write to the folder");
            assertThat(commands.text(key("web"))).isInstanceOf(ObjectText.Refused.class);
            assertThat(target).content().isEqualTo(before);
        } finally {
            Files.setPosixFilePermissions(elsewhere, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
        // Nothing is left for this folder; the file itself belongs to another place.
        assertThat(lines(commands.delete(key("web"), false, false)))
                .containsExactly("service \"web\" deleted from default namespace");
        assertThat(link).doesNotExist();
        assertThat(target).isRegularFile();
        assertThat(inForce("web")).isEmpty();
    }

    /** As kubelet makes them of a ConfigMap. */
    @Test
    void aVolumeOfKubernetesIsLeftAlone() throws IOException {
        Path data = Files.createDirectory(folder.resolve("..2026_01_02"));
        Files.writeString(data.resolve("web.yaml"), service("web", ""));
        Files.createSymbolicLink(folder.resolve("..data"), data.getFileName());
        Files.createSymbolicLink(folder.resolve("web.yaml"), Path.of("..data/web.yaml"));
        ManifestCommands commands = commands("10.96.0.0/24");
        await().until(() -> inForce("web").isPresent());
        assertThat(apply(commands, service("web", ", type: NodePort")))
                .singleElement()
                .asString()
                .contains("it is part of a volume that Kubernetes maintains");
    }

    @Test
    void aFileOverTheLimitIsRefusedBeforeAnythingIsWritten() throws IOException {
        ManifestCommands commands = commands("10.96.0.0/24");
        Path large = folder.resolve("large.yaml");
        // A document may have 8 MiB.
        String half = "---\n" + "# x\n".repeat(2 * 1024 * 1024 - 20);
        Files.writeString(large, service("web", "") + half + half + "---\n" + "# x\n".repeat(50));
        assertThat(apply(commands, service("new", "") + "---\n" + service("web", ", type: NodePort")))
                .singleElement()
                .asString()
                .contains("bytes, more than 16777216 (16 MiB)");
        assertThat(files()).containsExactly("large.yaml");
        Files.writeString(large, service("web", "") + half + half);
        assertThat(apply(commands, "# " + "x".repeat(500) + "\n" + service("web", ", type: NodePort")))
                .singleElement()
                .asString()
                .contains("would have more than 16777216 bytes (16 MiB)");
    }

    @Test
    void manyAtOnceShareAFile() throws IOException {
        ManifestCommands commands = commands("10.96.0.0/16");
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 300; i++) {
            text.append("---\n").append(service("s" + i, ""));
        }
        assertThat(apply(commands, text.toString())).hasSize(300).allMatch(line -> line.endsWith("created"));
        assertThat(files()).containsExactly("given.yaml");
        assertThat(store.size().services()).isEqualTo(300);
        assertThat(apply(commands, text.toString())).allMatch(line -> line.endsWith("unchanged"));
    }

    /** Another program saves the file repeatedly, as editors do, while objects of it are applied: nothing it wrote is lost. */
    @Test
    void anEditorAtWorkLosesNothing() throws Exception {
        Path shop = folder.resolve("shop.yaml");
        String text = service("web", "") + "---\n" + service("db", ", externalName: v0");
        Files.writeString(shop, text);
        ManifestCommands commands = commands();
        AtomicBoolean done = new AtomicBoolean();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Integer> editor = threads.submit(() -> {
                int version = 0;
                do {
                    String saved = "externalName: v" + ++version + "}";
                    Path fresh = tmp.resolve("shop.yaml~");
                    Files.writeString(fresh, text.replace("externalName: v0}", saved));
                    Files.move(fresh, shop, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
                    // For a moment there may be a text that was made of the one before.
                    await().pollInterval(Duration.ofNanos(1))
                            .atMost(Duration.ofMinutes(1))
                            .untilAsserted(() -> assertThat(shop).content().contains(saved));
                } while (!done.get());
                return version;
            });
            int written = 0;
            for (int i = 0; i < 60 || (written == 0 && i < 10_000); i++) {
                EditResult result = commands.apply(
                        List.of(new NamedText("x", service("web", ", clusterIP: 10.0.0." + (1 + i % 250)))),
                        "default",
                        EditMode.NOW,
                        FieldValidation.WARN);
                written += result instanceof EditResult.Written ? 1 : 0;
            }
            done.set(true);
            int last = editor.get();
            assertThat(shop).content().contains("externalName: v" + last + "}");
            assertThat(last).isPositive();
            assertThat(written).isPositive();
        }
        String there = Files.readString(shop);
        await().atMost(Duration.ofMinutes(1))
                .untilAsserted(() -> assertThat(inForce("web").orElseThrow().clusterIps())
                        .allSatisfy(ip -> assertThat(there).contains("clusterIP: " + ip)));
        assertThat(files()).containsExactly("shop.yaml");
    }

    @Test
    void aFileThatIsTakenAwayMeanwhileComesBackNew() throws IOException {
        Path file = folder.resolve("service.default.web.yaml");
        ManifestCommands commands = commands("10.96.0.0/24");
        assertThat(apply(commands, service("web", ""))).containsExactly("service/web created");
        Files.delete(file);
        assertThat(apply(commands, service("web", ", type: NodePort"))).containsExactly("service/web created");
        assertThat(file).content().contains("NodePort");
    }

    @Test
    void withoutFolder() throws IOException {
        Files.delete(folder);
        ManifestCommands commands = commands("10.96.0.0/24");
        assertThat(apply(commands, service("web", "")))
                .singleElement()
                .asString()
                .contains("does not exist; make it first");
    }
}
