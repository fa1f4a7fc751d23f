package io.dualstackd.standalone.manifest.io;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.kubeapi.objects.Dialect;
import io.dualstackd.kubeapi.objects.ObjectKey;
import io.dualstackd.kubeapi.store.io.Store;
import io.dualstackd.netlink.ip.IpPrefix;
import io.dualstackd.standalone.edit.EditMode;
import io.dualstackd.standalone.edit.EditResult;
import io.dualstackd.standalone.edit.FieldValidation;
import io.dualstackd.standalone.edit.NamedText;
import io.dualstackd.standalone.edit.ObjectText;
import io.dualstackd.standalone.ledger.LedgerSettings;
import io.dualstackd.standalone.ledger.io.ServiceLedger;
import io.dualstackd.standalone.manifest.Unused;
import io.dualstackd.standalone.serviceapi.Semantics;
import io.dualstackd.supervision.io.Supervisor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands whose text, or whose files, cannot be understood or written: all of a request is done, or none of it. */
@Tag("slow")
final class BrokenManifestsTest {
    private static final ObjectKey WEB = new ObjectKey(ObjectKey.Kind.SERVICE, "default", "web");

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

    private ManifestCommands commands() throws IOException {
        ServiceLedger addresses = ServiceLedger.open(
                tmp.resolve("state"),
                new LedgerSettings(List.of(IpPrefix.parse("10.96.0.0/24")), 30_000, 32_767, Semantics.KUBERNETES));
        ledger = Optional.of(addresses);
        ManifestFolder watched = ManifestFolder.watched(
                folder,
                store,
                Optional.empty(),
                Duration.ofHours(1),
                ManifestFolder.Progress.UNWATCHED,
                Dialect.WRITTEN,
                addresses,
                Supervisor.none());
        manifests = Optional.of(watched);
        return watched.commands();
    }

    private static String service(String name, int port) {
        return "apiVersion: v1\nkind: Service\nmetadata: {name: " + name + "}\nspec: {ports: [{port: " + port + "}]}\n";
    }

    private static List<NamedText> given(String text) {
        return List.of(new NamedText("given.yaml", text));
    }

    private static EditResult apply(ManifestCommands commands, String text) {
        return commands.apply(given(text), "default", EditMode.NOW, FieldValidation.WARN);
    }

    private static List<String> refusal(EditResult result) {
        assertThat(result).isInstanceOf(EditResult.Refused.class);
        EditResult.Refused refused = (EditResult.Refused) result;
        return refused.reasons().isEmpty() ? refused.problems() : refused.reasons();
    }

    private List<Integer> ports(String name) {
        return store.service(new ServiceKey("default", name)).service().stream()
                .flatMap(service -> service.ports().stream())
                .map(port -> port.port())
                .toList();
    }

    /** What is only probably meant is not removed, and neither is a part of what is meant. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "apiVersion: v1\nkind: Service\nmetadata: {name: web, namespace: 2024}\nspec: {ports: [{port: 80}]}\n",
                "apiVersion: v1\nkind: Service\nmetadata: {name: web}\n---\nmetadata: [\n",
                "apiVersion: v1\nkind: Service\nmetadata: {name: web}\n---\napiVersion: v1\nkind: Service\nmetadata: {}\n",
                "apiVersion: v1\nkind: Service\nmetadata: {name: web}\n---\nmetadata: {name: other}\n",
            })
    void whatIsNotUnderstoodIsNotDeleted(String text) throws IOException {
        Files.writeString(folder.resolve("web.yaml"), service("web", 80));
        ManifestCommands commands = commands();
        assertThat(refusal(commands.delete(given(text), "default", true, false)))
                .isNotEmpty()
                .allMatch(line -> line.startsWith("given.yaml:") && line.contains("error: "));
        assertThat(folder.resolve("web.yaml")).hasContent(service("web", 80));
        assertThat(ports("web")).containsExactly(80);
    }

    /** An object that its text names, but that is not valid, can be removed by that text. */
    @Test
    void whatIsInvalidIsDeleted() throws IOException {
        Files.writeString(folder.resolve("web.yaml"), service("web", 80));
        ManifestCommands commands = commands();
        assertThat(commands.delete(given(service("web", 0)), "default", false, false))
                .isEqualTo(
                        new EditResult.Written(List.of("service \"web\" deleted from default namespace"), List.of()));
        assertThat(ports("web")).isEmpty();
    }

    /** The Service stays in force from the text before, and the file may still name it. */
    @Test
    void aFileThatIsBrokenIsRepairedFirst() throws IOException {
        Path file = Files.writeString(folder.resolve("web.yaml"), service("web", 80));
        ManifestCommands commands = commands();
        String broken = service("web", 81).replace("}]}", "}}");
        Files.writeString(file, broken);
        String why = "Service default/web stays in force from an earlier text of " + file
                + ", which cannot be understood now; repair it first ('dualstackd status' shows where)";
        assertThat(refusal(apply(commands, service("web", 82)))).containsExactly(why);
        assertThat(refusal(commands.delete(WEB, true, false))).containsExactly(why);
        assertThat(commands.text(WEB)).isEqualTo(new ObjectText.Refused(why));
        assertThat(file).hasContent(broken);
        assertThat(ports("web")).containsExactly(80);
        Files.writeString(file, service("web", 81));
        assertThat(apply(commands, service("web", 82))).isInstanceOf(EditResult.Written.class);
        assertThat(ports("web")).containsExactly(82);
    }

    @Test
    void aFileThatIsEmptyIsFilledOrRemoved() throws IOException {
        Path file = Files.writeString(folder.resolve("web.yaml"), service("web", 80));
        ManifestCommands commands = commands();
        Files.writeString(file, "");
        assertThat(refusal(commands.delete(WEB, true, false)))
                .containsExactly("Service default/web stays in force from an earlier text of " + file
                        + ", which is empty now; remove the file");
        assertThat(apply(commands, service("web", 82))).isInstanceOf(EditResult.Written.class);
        assertThat(file).hasContent(service("web", 82));
        assertThat(ports("web")).containsExactly(82);
    }

    /** The second file cannot be written: a folder is in the place of the file that its new text is written to first. */
    @Test
    void aFileIsRestoredWhenAnotherCannotBeWritten() throws IOException {
        Path one = Files.writeString(folder.resolve("one.yaml"), service("one", 80));
        Path gone = Files.writeString(folder.resolve("gone.yaml"), service("gone", 80));
        Path two = Files.writeString(folder.resolve("two.yaml"), service("two", 80));
        ManifestCommands commands = commands();
        Files.createDirectories(folder.resolve(".two.yaml.dualstackd").resolve("full"));
        assertThat(refusal(apply(
                        commands, service("one", 81) + "---\n" + service("new", 81) + "---\n" + service("two", 81))))
                .singleElement()
                .asString()
                .startsWith("cannot write to " + folder);
        assertThat(refusal(commands.delete(
                        given(service("gone", 80) + "---\n" + service("two", 80)), "default", false, false)))
                .singleElement()
                .asString()
                .startsWith("cannot write to " + folder);
        assertThat(one).hasContent(service("one", 80));
        assertThat(gone).hasContent(service("gone", 80));
        assertThat(two).hasContent(service("two", 80));
        assertThat(folder.resolve("service.default.new.yaml")).doesNotExist();
    }

    @Test
    void whatIsNoRegularFileIsNamed() throws IOException {
        Files.createSymbolicLink(folder.resolve("zero.yaml"), Path.of("/dev/zero"));
        ManifestCommands ignored = commands();
        assertThat(manifests.orElseThrow().unused().items())
                .containsExactly(new Unused.Item("zero.yaml", "it is no regular file"));
        assertThat(manifests.orElseThrow().problems()).isEmpty();
    }

    /** Kinds that get nothing from the ledger. */
    @Test
    void whatIsInNoFileIsNamed() throws IOException {
        ManifestCommands commands = commands();
        for (ObjectKey.Kind kind :
                List.of(ObjectKey.Kind.ENDPOINT_SLICE, ObjectKey.Kind.ENDPOINTS, ObjectKey.Kind.NODE)) {
            ObjectKey key = new ObjectKey(kind, kind.namespaced() ? "default" : "", "nope");
            assertThat(refusal(commands.delete(key, false, false)))
                    .singleElement()
                    .asString()
                    .startsWith(key + " is in no file of ");
            assertThat(commands.delete(key, true, false)).isEqualTo(new EditResult.Written(List.of(), List.of()));
        }
        assertThat(refusal(commands.delete(
                        given(service("one", 80) + "---\n" + service("two", 80)), "default", false, false)))
                .hasSize(2);
    }

    @Test
    void theNetworkOfTheFlagIsDeletedWithAWarning() throws IOException {
        ManifestCommands commands = commands();
        ObjectKey flag = new ObjectKey(ObjectKey.Kind.SERVICE_CIDR, "", "kubernetes");
        assertThat(commands.delete(flag, false, true))
                .isInstanceOfSatisfying(
                        EditResult.Written.class,
                        written -> assertThat(written.warnings())
                                .singleElement()
                                .asString()
                                .contains("new Services get no address of its networks any more"));
    }

    @Test
    void commentsBehindAnObjectStay() throws IOException {
        Path file = Files.writeString(
                folder.resolve("web.yaml"),
                "# head\n" + service("web", 80) + "\n# Not yet in use:\n#  - {port: 81}\n---\n" + service("b", 80)
                        + "# end\n");
        ManifestCommands commands = commands();
        assertThat(apply(commands, service("web", 82) + "---\n" + service("b", 83)))
                .isInstanceOf(EditResult.Written.class);
        assertThat(file)
                .hasContent("# head\n" + service("web", 82) + "\n# Not yet in use:\n#  - {port: 81}\n---\n"
                        + service("b", 83) + "# end\n");
        assertThat(apply(commands, service("web", 84) + "# mine\n")).isInstanceOf(EditResult.Written.class);
        assertThat(file).content().contains("# mine\n---\n").doesNotContain("Not yet in use");
    }

    @Test
    void aFileOfJsonStaysOne() throws IOException {
        Path file = Files.writeString(
                folder.resolve("web.json"),
                "{\"apiVersion\": \"v1\", \"kind\": \"Service\", \"metadata\": {\"name\": \"web\"}, \"spec\": {\"ports\": [{\"port\": 80}]}}\n");
        ManifestCommands commands = commands();
        assertThat(apply(commands, service("web", 82))).isInstanceOf(EditResult.Written.class);
        assertThat(file).content().startsWith("{\n").contains("\"port\" : 82");
        assertThat(ports("web")).containsExactly(82);
    }

    /** Without its marker, the document would be one with the empty one before it. */
    @Test
    void aDocumentOnTheLineOfItsMarkerKeepsItsPlace() throws IOException {
        ManifestCommands commands = commands();
        String text = "\n--- {apiVersion: v1, kind: Service, metadata: {name: web}, spec: {ports: [{port: 80}]}}\n";
        assertThat(commands.apply(given(text), "shop", EditMode.NOW, FieldValidation.WARN))
                .isEqualTo(new EditResult.Written(List.of("service/web created"), List.of()));
        assertThat(folder.resolve("service.shop.web.yaml")).content().contains("namespace: shop");
    }
}
