package io.dualstackd.agent.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.admin.AdminSources;
import io.dualstackd.admin.Reports;
import io.dualstackd.admin.io.AdminServer;
import io.dualstackd.admin.monitor.RecentLog;
import io.dualstackd.admin.objects.ObjectsReportBuilder;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.kubeapi.objects.Dialect;
import io.dualstackd.kubeapi.objects.Service;
import io.dualstackd.kubeapi.store.io.Store;
import io.dualstackd.netlink.ip.IpPrefix;
import io.dualstackd.standalone.ledger.LedgerSettings;
import io.dualstackd.standalone.ledger.io.ServiceLedger;
import io.dualstackd.standalone.manifest.io.ManifestFolder;
import io.dualstackd.standalone.serviceapi.Semantics;
import io.dualstackd.supervision.io.Supervisor;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code edit} with real editors (shell scripts), on the admin socket of a real folder with a real ledger. */
@Tag("kernel")
final class EditorCommandTest {
    private static final Pattern KEPT = Pattern.compile("what was saved is kept in (\\S+)");

    private static final String WEB = """
            # The web of the shop.
            apiVersion: v1
            kind: Service
            metadata: {name: web, namespace: shop}   # not the other one
            spec:
              ipFamilyPolicy: PreferDualStack
              # all of them
              ports: [{port: 80}]
            """;
    private static final String DB = """
            # db
            apiVersion: v1
            kind: Service
            metadata: {name: db}
            spec: {ports: [{port: 5432}], clusterIP: None}
            """;

    @TempDir
    private Path tmp;

    private final Store store = new Store();
    private Path folder = Path.of("/");
    private Path home = Path.of("/");
    private Path socket = Path.of("/");
    private ServiceLedger ledger;
    private ManifestFolder manifests;
    private AdminServer server;
    private int code;

    /** The socket is not in a {@code @TempDir}: the build's own folder may be too deep for its path. */
    @BeforeEach
    void start() throws IOException {
        folder = Files.createDirectory(tmp.resolve("manifests"));
        Files.writeString(folder.resolve("shop.yaml"), "# All.\n---\n" + WEB + "---\n" + DB);
        home = Files.createTempDirectory(Path.of("/tmp"), "dsd");
        socket = home.resolve("admin.sock");
        ledger = ServiceLedger.open(
                tmp.resolve("state"),
                new LedgerSettings(
                        List.of(IpPrefix.parse("10.96.0.0/24"), IpPrefix.parse("fd00:96::/112")),
                        30_000,
                        32_767,
                        Semantics.KUBERNETES));
        manifests = ManifestFolder.watched(
                folder,
                store,
                Optional.empty(),
                Duration.ofHours(1),
                ManifestFolder.Progress.UNWATCHED,
                Dialect.WRITTEN,
                ledger,
                Supervisor.none());
        server = AdminServer.bind(socket);
        server.answer(new AdminSources(
                Reports::healthy,
                Optional::empty,
                () -> Optional.of(ObjectsReportBuilder.manifests(store, manifests)
                        .ledger(Optional.of(ledger.view()))
                        .report()),
                Optional.of(manifests.commands()),
                Optional.empty(),
                List.of(),
                RecentLog.NONE));
    }

    @AfterEach
    void stop() throws IOException {
        server.close();
        manifests.close();
        ledger.close();
        Files.deleteIfExists(socket);
        Files.delete(home);
    }

    /** Runs the command with an editor: a script that gets the file as {@code $1} and its number as {@code $turn}. */
    private String edit(String script, String... words) throws IOException {
        Path editor = tmp.resolve("editor");
        Files.writeString(
                editor,
                "#!/bin/sh\nturn=$(($(ls " + tmp + " | grep -c seen) + 1))\ncp \"$1\" " + tmp + "/seen.$turn\n" + script
                        + "\n");
        Files.setPosixFilePermissions(editor, PosixFilePermissions.fromString("rwx------"));
        return run(Map.of("DUALSTACKD_EDITOR", editor.toString(), "EDITOR", "false"), words);
    }

    private String run(Map<String, String> environment, String... words) {
        String[] all = new String[words.length + 2];
        all[0] = "edit";
        System.arraycopy(words, 0, all, 1, words.length);
        all[words.length + 1] = "--admin-socket=" + socket;
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        Actions none = (Actions) Proxy.newProxyInstance(
                Actions.class.getClassLoader(), new Class<?>[] {Actions.class}, (self, method, given) -> null);
        try (PrintStream out = new PrintStream(output, true, StandardCharsets.UTF_8)) {
            code = CommandLines.execute(none, "0.1", new Terminal(environment), out, out, all);
        }
        return output.toString(StandardCharsets.UTF_8);
    }

    private String seen(int turn) throws IOException {
        return Files.readString(tmp.resolve("seen." + turn));
    }

    private void deleteSeen() throws IOException {
        Files.deleteIfExists(tmp.resolve("seen.1"));
        Files.deleteIfExists(tmp.resolve("seen.2"));
    }

    private String shop() throws IOException {
        return Files.readString(folder.resolve("shop.yaml"));
    }

    private Optional<Service> web() {
        return store.service(new ServiceKey("shop", "web")).service();
    }

    /** What is kept after a failure; removed here. */
    private static String kept(String output) throws IOException {
        Path file = KEPT.matcher(output)
                .results()
                .map((MatchResult found) -> Path.of(found.group(1)))
                .findFirst()
                .orElseThrow();
        String text = Files.readString(file);
        Files.delete(file);
        return text;
    }

    @Test
    void theTextOfTheManifestIsEditedAndNothingElseOfItChanges() throws IOException {
        String before = shop();
        assertThat(edit("sed -i 's/port: 80/port: 8080/; s/# all of them/# one/' \"$1\"", "svc/web", "-n", "shop"))
                .isEqualTo("service/web edited\n");
        assertThat(code).isZero();
        assertThat(seen(1)).endsWith(WEB).startsWith("#| ");
        assertThat(seen(1).replace(WEB, "").lines()).hasSize(2).allMatch(line -> line.startsWith("#| "));
        assertThat(shop()).isEqualTo(before.replace("port: 80}", "port: 8080}").replace("# all of them", "# one"));
        assertThat(web().orElseThrow().ports().getFirst().port()).isEqualTo(8080);
        // Only a comment, and the one before the object gone.
        assertThat(edit("sed -i '/^# The web/d' \"$1\"", "service", "shop/web")).isEqualTo("service/web edited\n");
        assertThat(shop()).contains("# All.\n---\napiVersion").doesNotContain("The web");
    }

    @Test
    void unchangedOrEmptyIsCancelled() throws IOException {
        String before = shop();
        assertThat(edit("true", "svc/web", "-n", "shop")).isEqualTo("Edit cancelled, no changes made.\n");
        assertThat(code).isZero();
        assertThat(edit("grep '^#' \"$1\" >\"$1.new\"; mv \"$1.new\" \"$1\"", "svc/web", "-n", "shop"))
                .isEqualTo("Edit cancelled, saved file was empty.\n");
        assertThat(code).isZero();
        assertThat(shop()).isEqualTo(before);
    }

    @Test
    void aRefusalOpensTheEditorAgain() throws IOException {
        String before = shop();
        String script =
                "case $turn in 1) sed -i 's/port: 80/port: eighty/' \"$1\";; *) sed -i 's/port: eighty/port: 81/' \"$1\";; esac";
        assertThat(edit(script, "svc/web", "-n", "shop")).isEqualTo("service/web edited\n");
        assertThat(code).isZero();
        List<String> again = seen(2).lines().toList();
        String reason = again.stream()
                .filter(line -> line.contains("\"eighty\""))
                .findFirst()
                .orElseThrow();
        assertThat(reason).startsWith("#|   dualstackd-edit-").contains("spec.ports[0].port");
        int line = Integer.parseInt(reason.replaceFirst(".*?\\.yaml:(\\d+).*", "$1"));
        assertThat(again.get(line - 1)).contains("port: eighty");
        assertThat(shop()).isEqualTo(before.replace("port: 80}", "port: 81}"));
    }

    @Test
    void aRefusedTextThatIsSavedAgainIsKept() throws IOException {
        String before = shop();
        String output =
                edit("case $turn in 1) sed -i 's/port: 80/port: eighty/' \"$1\";; esac", "svc/web", "-n", "shop");
        assertThat(output)
                .startsWith(
                        "dualstackd: edit cancelled, no valid changes were saved; the kept file begins with the reasons\n");
        assertThat(code).isEqualTo(1);
        assertThat(kept(output)).contains("#| Refused, nothing was changed:", "port: eighty");
        assertThat(shop()).isEqualTo(before);
    }

    @Test
    void kindNamespaceAndNameStay() throws IOException {
        String before = shop();
        for (String change : List.of("s/name: web/name: wob/", "s/namespace: shop/namespace: no/", "s/Service/Node/")) {
            deleteSeen();
            String output = edit("[ $turn = 2 ] || sed -i '" + change + "' \"$1\"", "svc/web", "-n", "shop");
            assertThat(code).as(change).isEqualTo(1);
            assertThat(kept(output)).as(change).contains("#|   dualstackd-edit-", "Service shop/web");
            assertThat(shop()).isEqualTo(before);
        }
        deleteSeen();
        String two = edit("[ $turn = 2 ] || printf -- '---\\n%s\\n' '" + DB + "' >>\"$1\"", "svc/web", "-n", "shop");
        assertThat(kept(two)).contains("not Service default/db");
    }

    @Test
    void anEditorThatFailsChangesNothing() throws IOException {
        String before = shop();
        String output = edit("sed -i 's/port: 80/port: 81/' \"$1\"; exit 3", "svc/web", "-n", "shop");
        assertThat(output).contains("ended with exit status 3; nothing was changed");
        assertThat(code).isEqualTo(1);
        assertThat(kept(output)).contains("port: 81");
        assertThat(shop()).isEqualTo(before);
    }

    /** The other change stays unless the text is saved again after it was shown. */
    @Test
    void aChangeMeanwhileIsNotOverwrittenInSilence() throws IOException {
        String shopFile = folder.resolve("shop.yaml").toString();
        String script =
                "case $turn in 1) sed -i 's/port: 80/port: 81/' \"$1\";" + " sed -i 's/# all of them/# theirs/' "
                        + shopFile + ";; *) sed -i 's/# all of them/# both/' \"$1\";; esac";
        assertThat(edit(script, "svc/web", "-n", "shop")).isEqualTo("service/web edited\n");
        assertThat(seen(2)).contains("#|   -  # all of them", "#|   +  # theirs", "port: 81", "saving overwrites it");
        // The words of the heading were changed, too.
        assertThat(shop()).contains("# both\n  ports: [{port: 81}]").doesNotContain("#|");

        deleteSeen();
        String output = edit(
                "if [ $turn = 1 ]; then sed -i 's/81/82/' \"$1\"; sed -i 's/# both/# theirs/' " + shopFile + "; fi",
                "svc/web",
                "-n",
                "shop");
        assertThat(code).isEqualTo(1);
        assertThat(kept(output)).contains("port: 82");
        assertThat(shop()).contains("# theirs\n  ports: [{port: 81}]");
    }

    @Test
    void anObjectThatIsRemovedMeanwhileIsNotWritten() throws IOException {
        String output = edit(
                "sed -i 's/port: 80/port: 81/' \"$1\"; rm " + folder.resolve("shop.yaml"), "svc/web", "-n", "shop");
        assertThat(code).isEqualTo(1);
        assertThat(kept(output)).contains("port: 81");
        assertThat(folder.resolve("shop.yaml")).doesNotExist();
    }

    @Test
    void refusesUneditableObjectBeforeOpeningEditor() throws IOException {
        Files.writeString(folder.resolve("ends.yaml"), """
                apiVersion: v1
                kind: Endpoints
                metadata: {name: db}
                subsets: [{addresses: [{ip: 192.0.2.1}], ports: [{port: 5432}]}]
                """);
        // The next request reads the new file.
        assertThat(edit("true", "endpoints/db")).isEqualTo("Edit cancelled, no changes made.\n");
        deleteSeen();
        assertThat(edit("true", "eps/db-ipv4-1")).contains("EndpointSlice default/db-ipv4-1 is in no manifest");
        assertThat(edit("true", "servicecidr/kubernetes"))
                .contains(
                        "ServiceCIDR kubernetes is in no manifest, so it cannot be edited: the daemon makes it itself");
        assertThat(edit("true", "svc/nope")).contains("services \"nope\" not found in namespace \"default\"");
        assertThat(code).isEqualTo(1);
        assertThat(edit("true", "pod/web")).contains("\"pods\": only these can be edited: service, endpointslice");
        assertThat(edit("true", "svc")).contains("the name of the service is missing");
        Files.setPosixFilePermissions(folder.resolve("shop.yaml"), PosixFilePermissions.fromString("r--r--r--"));
        assertThat(edit("true", "svc/web", "-n", "shop")).contains("which the daemon may not write");
        assertThat(code).isEqualTo(1);
        assertThat(tmp.resolve("seen.1")).doesNotExist();
    }

    @Test
    void theEditorComesFromTheEnvironmentAndMayHaveArguments() throws IOException {
        String editor = "sed -i -e 's/port: 80/port: 81/'";
        assertThat(run(Map.of("EDITOR", "false", "VISUAL", editor), "svc/web", "-n", "shop"))
                .isEqualTo("service/web edited\n");
        assertThat(run(Map.of("VISUAL", "false", "KUBE_EDITOR", "sed -i -e s/81/82/"), "svc/web", "-n", "shop"))
                .isEqualTo("service/web edited\n");
        assertThat(shop()).contains("port: 82}");
        String output = run(Map.of("EDITOR", "no-such-editor --wait"), "svc/web", "-n", "shop");
        assertThat(output)
                .contains("the editor \"no-such-editor --wait\" ended with exit status 127; nothing was changed")
                .doesNotContain("kept");
        output = run(Map.of("EDITOR", "sed -i -e s/82/83/ $1; exit 3; :"), "svc/web", "-n", "shop");
        assertThat(output).contains("ended with exit status 3; nothing was changed");
        assertThat(kept(output)).contains("port: 83}");
    }

    /** Both in one: an item of a List in a file that a link leads to. */
    @Test
    void anItemOfALinkedListIsEdited() throws IOException {
        Path list = Files.writeString(tmp.resolve("list.yaml"), """
                apiVersion: v1
                kind: List
                items:
                - apiVersion: v1
                  kind: Service
                  metadata: {name: one}
                  spec: {ports: [{port: 1}]} # first
                # second
                - {apiVersion: v1, kind: Service, metadata: {name: two}, spec: {ports: [{port: 2}]}}
                """);
        Files.createSymbolicLink(folder.resolve("list.yaml"), list);
        String before = Files.readString(list);
        assertThat(edit("sed -i 's/port: 1/port: 3/' \"$1\"", "svc/one")).isEqualTo("service/one edited\n");
        assertThat(seen(1)).endsWith("\nkind: Service\nmetadata: {name: one}\nspec: {ports: [{port: 1}]} # first\n");
        assertThat(list).content().isEqualTo(before.replace("port: 1", "port: 3"));
        assertThat(edit("sed -i 's/port: 2/port: 4/' \"$1\"", "svc/two")).isEqualTo("service/two edited\n");
        assertThat(list)
                .content()
                .isEqualTo(before.replace("port: 1", "port: 3").replace("port: 2", "port: 4"));
    }

    /** An object that is refused in its file can be repaired. */
    @Test
    void anInvalidObjectIsEdited() throws IOException {
        Files.writeString(
                folder.resolve("bad.yaml"), DB.replace("name: db", "name: bad").replace("5432", "many"));
        assertThat(edit("sed -i 's/many/7/' \"$1\"", "svc/bad")).isEqualTo("service/bad edited\n");
        assertThat(store.service(new ServiceKey("default", "bad")).service()).isPresent();
    }
}
