package io.dualstackd.standalone.edit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dualstackd.kubeapi.objects.Dialect;
import io.dualstackd.kubeapi.objects.ObjectKey;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FileEditTest {
    private static final ObjectKey WEB = new ObjectKey(ObjectKey.Kind.SERVICE, "default", "web");
    private static final String FILE = """
            # All of the shop.
            ---
            # The web of the shop.
            apiVersion: v1
            kind: Service
            metadata: {name: web}
            spec:
              ports: [{port: 80}]   # plain
            --- # and its database
            {apiVersion: v1, kind: Service, metadata: {name: db}, spec: {ports: [{port: 5432}]}}
            ...
            apiVersion: v1
            kind: Service
            metadata: {name: last}
            spec: {ports: [{port: 1}]}""";

    private static EditRequest.Wanted wanted(String text) {
        EditRequest editRequest = EditRequest.read("given.yaml", text, "default", Dialect.WRITTEN);
        assertThat(editRequest.problems()).isEmpty();
        return editRequest.objects().getFirst();
    }

    private static String service(String name, int port) {
        return "apiVersion: v1\nkind: Service\nmetadata: {name: " + name + "}\nspec: {ports: [{port: " + port + "}]}\n";
    }

    private static FileEdit file(String text) {
        return new FileEdit("shop.yaml", text, Dialect.WRITTEN);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "\n",
                "a: 1",
                "---\n",
                "---\n---\n--- # x\na: 1\n...\n# y\n...\nb: 2",
                "--- {a: 1}\n---\tx\n----\n",
                "a: 1\r\n---\r\nb: |\n  ---\n  text\r\n",
                "%YAML 1.2\n---\na: 1\n"
            })
    void cuttingLosesNothing(String text) {
        assertThat(FileText.of(text).with(Map.of(), List.of())).isEqualTo(text);
        assertThat(FileText.of(FILE).with(Map.of(), List.of())).isEqualTo(FILE);
    }

    @Test
    void anObjectIsReplacedWhereItStands() throws FileEdit.Impossible {
        FileEdit edit = file(FILE);
        assertThat(edit.put(wanted(service("web", 8080)))).isEqualTo(FileEdit.Done.CONFIGURED);
        assertThat(edit.after()).contains("""
                # All of the shop.
                ---
                # The web of the shop.
                apiVersion: v1
                kind: Service
                metadata: {name: web}
                spec: {ports: [{port: 8080}]}
                --- # and its database
                {apiVersion: v1, kind: Service, metadata: {name: db}, spec: {ports: [{port: 5432}]}}
                ...
                apiVersion: v1
                kind: Service
                metadata: {name: last}
                spec: {ports: [{port: 1}]}""");
        assertThat(edit.decoded().objects()).hasSize(3);
    }

    @Test
    void newCommentsTakeThePlaceOfOldOnes() throws FileEdit.Impossible {
        FileEdit edit = file(FILE);
        edit.put(wanted("# New.\n" + service("web", 81)));
        assertThat(edit.after().orElseThrow())
                .contains("---\n# New.\napiVersion")
                .doesNotContain("The web");
    }

    @Test
    void whatSaysTheSameIsLeftAlone() throws FileEdit.Impossible {
        FileEdit edit = file(FILE);
        String same = "{kind: Service, apiVersion: v1, spec: {ports: [{port: 80}]}, metadata: {name: web}} # other";
        assertThat(edit.put(wanted(same))).isEqualTo(FileEdit.Done.UNCHANGED);
        assertThat(edit.isChange()).isFalse();
        assertThat(edit.after()).contains(FILE);
    }

    @Test
    void newObjectsComeLast() throws FileEdit.Impossible {
        FileEdit edit = file(FILE);
        assertThat(edit.put(wanted(service("more", 2)))).isEqualTo(FileEdit.Done.CREATED);
        assertThat(edit.put(wanted("--- {apiVersion: v1, kind: Service, metadata: {name: x}, spec: {}}")))
                .isEqualTo(FileEdit.Done.CREATED);
        assertThat(edit.after())
                .contains(FILE + "\n---\n" + service("more", 2)
                        + "---\n{apiVersion: v1, kind: Service, metadata: {name: x}, spec: {}}\n");
        assertThat(edit.worse(edit.decoded())).isEmpty();
        FileEdit fresh = file("");
        fresh.put(wanted("---\n" + service("web", 1)));
        assertThat(fresh.after()).contains(service("web", 1));
    }

    @Test
    void removalsLeaveTheRest() throws FileEdit.Impossible {
        FileEdit edit = file(FILE);
        edit.remove(new ObjectKey(ObjectKey.Kind.SERVICE, "default", "db"));
        assertThat(edit.after().orElseThrow())
                .contains("# plain\n---\napiVersion: v1\nkind: Service\nmetadata: {name: last}");
        assertThat(edit.decoded().objects()).hasSize(2);
        FileEdit all = file(service("web", 1));
        all.remove(WEB);
        assertThat(all.after()).isEmpty();
        assertThat(all.decoded().objects()).isEmpty();
    }

    /** A file may be mended by writing the object that is wrong in it. */
    @Test
    void aRefusedTextIsReplaced() throws FileEdit.Impossible {
        FileEdit edit = file(service("web", 80).replace("80", "x") + "---\n" + service("db", 1));
        assertThat(edit.has(WEB)).isTrue();
        assertThat(edit.put(wanted(service("web", 80)))).isEqualTo(FileEdit.Done.CONFIGURED);
        assertThat(edit.after()).contains(service("web", 80) + "---\n" + service("db", 1));
    }

    @Test
    void anObjectOfAListIsNotTouched() {
        FileEdit edit = file(
                "apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: Service, metadata: {name: web}, spec: {}}\n");
        assertThatThrownBy(() -> edit.put(wanted(service("web", 1))))
                .isInstanceOf(FileEdit.Impossible.class)
                .hasMessageContaining("stands in a List at shop.yaml:4 (document 1): items[0]");
        assertThatThrownBy(() -> edit.remove(WEB)).isInstanceOf(FileEdit.Impossible.class);
    }

    @Test
    void itemsOfAGivenListGetDocumentsOfTheirOwn() {
        EditRequest.Wanted wanted = wanted(
                "{apiVersion: v1, kind: List, items: [{apiVersion: v1, kind: Service,"
                        + " metadata: {name: web}, spec: {clusterIP: \"fd00::1\", publishNotReadyAddresses: true, ports: [{port: 80}]}}]}");
        assertThat(wanted.text()).isEqualTo("""
                apiVersion: v1
                kind: Service
                metadata:
                  name: web
                spec:
                  clusterIP: fd00::1
                  ports:
                  - port: 80
                  publishNotReadyAddresses: true
                """);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "# c\napiVersion: v1\nkind: Service\nmetadata: # m\n  # n\n    name: web\nspec: {}\n",
                "apiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec: {}\n",
                "apiVersion: v1\nkind: Service\nmetadata:\n  {name: web}\nspec: {}\n",
                "{apiVersion: v1, kind: Service, metadata: {name: web, namespace: null}, spec: {}}",
                "{\"apiVersion\":\"v1\",\"kind\":\"List\",\"items\":[{\"apiVersion\":\"v1\",\"kind\":\"Service\",\"metadata\":{\"name\":\"web\"},\"spec\":{}}]}",
                "apiVersion: v1\nkind: Service\nmetadata: {name: web, namespace: shop}\nspec: {}\n"
            })
    void objectsWithoutNamespaceAreGivenOne(String text) {
        EditRequest editRequest = EditRequest.read("given.yaml", text, "shop", Dialect.WRITTEN);
        assertThat(editRequest.problems()).isEmpty();
        assertThat(editRequest.keys()).containsExactly(new ObjectKey(ObjectKey.Kind.SERVICE, "shop", "web"));
        assertThat(editRequest.objects().getFirst().text().lines().filter(line -> line.startsWith("#")))
                .hasSize(text.startsWith("# c") ? 1 : 0);
        EditRequest again =
                EditRequest.read("x", editRequest.objects().getFirst().text(), "default", Dialect.WRITTEN);
        assertThat(again.objects().getFirst().meant())
                .isEqualTo(editRequest.objects().getFirst().meant());
    }

    @Test
    void objectsOutsideNamespacesAreNotGivenOne() {
        String text =
                "apiVersion: networking.k8s.io/v1\nkind: ServiceCIDR\nmetadata: {name: x}\nspec: {cidrs: [fd00::/112]}\n";
        assertThat(EditRequest.read("x", text, "shop", Dialect.WRITTEN)
                        .objects()
                        .getFirst()
                        .text())
                .isEqualTo(text);
    }
}
