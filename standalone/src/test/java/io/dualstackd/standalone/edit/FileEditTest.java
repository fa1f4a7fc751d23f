package io.dualstackd.standalone.edit;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.kubeapi.objects.Dialect;
import io.dualstackd.kubeapi.objects.ObjectKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
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
                "%YAML 1.2\n---\na: 1\n",
                "a: 1\r---\r# x\rb: 2\r...\r\n---\r\nc: 3\r"
            })
    void cuttingLosesNothing(String text) {
        assertThat(FileText.of(text).with(Map.of(), List.of())).isEqualTo(text);
        assertThat(FileText.of(FILE).with(Map.of(), List.of())).isEqualTo(FILE);
    }

    /** YAML 1.2 §5.4: a carriage return alone is a line break, too. */
    @ParameterizedTest
    @ValueSource(strings = {"web", "db", "last"})
    void carriageReturnsEndLines(String name) throws FileEdit.Impossible {
        String old = service("web", 80) + "---\n" + service("db", 80) + "---\n" + service("last", 80);
        for (String text : List.of("# 1\r# 2\r# 3\r# 4\r# 5\r# 6\r\n" + old, old.replace('\n', '\r'))) {
            FileEdit edit = file(text);
            assertThat(edit.put(wanted(service(name, 8080)))).isEqualTo(FileEdit.Done.CONFIGURED);
            assertPorts(edit, name);
            FileEdit other = file(text);
            other.remove(key(name));
            assertThat(other.decoded().objects())
                    .hasSize(2)
                    .noneMatch(object -> object.object().key().equals(key(name)));
        }
    }

    /** The named Service has port 8080, the two others 80. */
    private static void assertPorts(FileEdit edit, String changed) throws FileEdit.Impossible {
        FileEdit after = file(edit.after().orElseThrow());
        assertThat(edit.decoded().problems()).isEmpty();
        for (String name : List.of("web", "db", "last")) {
            assertThat(after.put(wanted(service(name, name.equals(changed) ? 8080 : 80))))
                    .as(name)
                    .isEqualTo(FileEdit.Done.UNCHANGED);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"web", "db"})
    void carriageReturnsEndLinesOfAList(String name) throws FileEdit.Impossible {
        String comments = LIST.replace("# The web.\n", "# The\r# web.\r")
                .replace("# The database.\n", "# The\r# database.\r")
                .replace("# of the web\n", "# of the web\r");
        for (String text : List.of(comments, LIST.replace('\n', '\r'))) {
            FileEdit edit = file(text);
            edit.put(wanted(service(name, 8080)));
            assertThat(edit.decoded().problems()).isEmpty();
            assertThat(edit.decoded().objects()).hasSize(3);
            FileEdit other = file(text);
            other.remove(key(name));
            assertThat(other.decoded().problems()).isEmpty();
            assertThat(other.decoded().objects()).hasSize(2);
            assertThat(other.decoded().find(key(name))).isEmpty();
            String item = file(text).text(key(name)).orElseThrow();
            assertThat(wanted(item).key()).isEqualTo(key(name));
            assertThat(item).startsWith("# The").doesNotContain("items");
        }
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
    void equivalentTextIsNotChanged() throws FileEdit.Impossible {
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

    private static final String LIST = """
            # All of it.
            apiVersion: v1
            kind: List
            items:
            # The web.
            - apiVersion: v1
              kind: Service
              metadata: {name: web}
              spec:
                ports: [{port: 80}]   # plain
                # of the web
            # The database.
            - # here
              apiVersion: v1
              kind: Service
              metadata: {name: db}
              spec: {ports: [{port: 5432}]}

            # The end of the items.
            metadata: {}
            --- # more
            """ + service("last", 1);

    private static ObjectKey key(String name) {
        return new ObjectKey(ObjectKey.Kind.SERVICE, "default", name);
    }

    @Test
    void anItemOfAListIsReplacedWhereItStands() throws FileEdit.Impossible {
        FileEdit edit = file(LIST);
        assertThat(edit.put(wanted(service("web", 8080)))).isEqualTo(FileEdit.Done.CONFIGURED);
        assertThat(edit.put(wanted(service("db", 5432)))).isEqualTo(FileEdit.Done.UNCHANGED);
        String web = LIST.substring(LIST.indexOf("- apiVersion"), LIST.indexOf("# The database."));
        assertThat(edit.after())
                .contains(LIST.replace(web, service("web", 8080).indent(2).replaceFirst("^ ", "-")));
        assertThat(edit.decoded().objects()).hasSize(3);
        edit.put(wanted(service("db", 1)));
        assertThat(edit.decoded().objects()).hasSize(3);
        assertThat(edit.after().orElseThrow())
                .contains("\n# The database.\n- apiVersion", "\n\n# The end of the items.\nmetadata: {}\n--- # more\n");
    }

    @Test
    void aListOfOneKindIsAList() throws FileEdit.Impossible {
        FileEdit edit = file(LIST.replace("kind: List", "kind: ServiceList"));
        assertThat(edit.has(key("web"))).isTrue();
        edit.remove(key("db"));
        assertThat(edit.decoded().problems()).isEmpty();
        assertThat(edit.decoded().objects()).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "apiVersion: v1\nkind: List\nitems: [A, B]\nitems: [W, B]\n",
                "apiVersion: v1\nkind: List\nitems:\n- A\n- B\nitems:\n- W\n- B\n"
            })
    void ofTwoListsOfItemsTheLastOneIsChanged(String form) throws FileEdit.Impossible {
        String item = "{apiVersion: v1, kind: Service, metadata: {name: %s}, spec: {ports: [{port: 80}]}}";
        String text = form.replace("A", item.formatted("web")).replace("W", item.formatted("web"));
        FileEdit edit = file(text.replace("B", item.formatted("db")));
        assertThat(edit.put(wanted(service("web", 8080)))).isEqualTo(FileEdit.Done.CONFIGURED);
        String after = edit.after().orElseThrow();
        assertThat(after.indexOf("8080")).isGreaterThan(after.lastIndexOf("items:"));
        assertThat(FileText.of(after).pieces()).hasSize(1);
        assertThat(file(after).put(wanted(service("web", 8080)))).isEqualTo(FileEdit.Done.UNCHANGED);
    }

    @Test
    void itemsOfAListAreRemoved() throws FileEdit.Impossible {
        FileEdit edit = file(LIST);
        edit.remove(key("web"));
        String web = LIST.substring(LIST.indexOf("# The web."), LIST.indexOf("# The database."));
        assertThat(edit.after()).contains(LIST.replace(web, ""));
        edit.remove(key("db"));
        assertThat(edit.after()).contains("--- # more\n" + service("last", 1));
    }

    @Test
    void theTextOfAnItemIsADocument() throws FileEdit.Impossible {
        FileEdit edit = file(LIST);
        assertThat(edit.text(key("web"))).contains("""
                # The web.
                apiVersion: v1
                kind: Service
                metadata: {name: web}
                spec:
                  ports: [{port: 80}]   # plain
                  # of the web
                """);
        for (String name : new String[] {"web", "db", "last"}) {
            String text = edit.text(key(name)).orElseThrow();
            FileEdit again = file(LIST);
            again.replace(key(name), text);
            assertThat(again.after())
                    .contains(name.equals("db") ? LIST.replace("- # here\n  api", "# here\n- api") : LIST);
        }
    }

    /** As {@code kubectl get -o json} writes it. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"apiVersion\": \"v1\", \"items\": [\n    W,\n    D\n  ],\n \"kind\": \"List\"}\n",
                "apiVersion: v1\nitems: [ W , D ]   # both\nkind: List\n",
                "# é 😀\n{apiVersion: v1, kind: List, items: [W,D,],}"
            })
    void itemsInBrackets(String form) throws FileEdit.Impossible {
        String web =
                "{\"apiVersion\":\"v1\",\"kind\":\"Service\",\"metadata\":{\"name\":\"web\"},\"spec\":{\"ports\":[{\"port\":80}]}}";
        String db = web.replace("web", "db");
        String text = form.replace("W", web).replace("D", db);
        FileEdit edit = file(text);
        assertThat(edit.text(key("db"))).contains(db + "\n");
        edit.replace(key("db"), db.replace("80", "81") + "\n");
        assertThat(edit.after()).contains(text.replace(db, db.replace("80", "81")));
        edit.put(wanted(service("web", 82)));
        assertThat(edit.decoded().objects()).hasSize(2);
        assertThat(edit.decoded().problems()).isEmpty();
        for (String gone : new String[] {"web", "db"}) {
            FileEdit other = file(text);
            other.remove(key(gone));
            assertThat(other.decoded().problems()).isEmpty();
            assertThat(other.decoded().objects()).hasSize(1);
            assertThat(other.after().orElseThrow()).contains(gone.equals("web") ? db : web);
        }
    }

    /** Whatever is removed of a list in brackets, the others stay. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"apiVersion\": \"v1\", \"items\": [\n    A,\n    B,\n    C,\n    D\n  ],\n \"kind\": \"List\"}\n",
                "apiVersion: v1\nitems: [A,B,C,D]\nkind: List\n",
                "{apiVersion: v1, kind: List, items: [A,B, C ,D,],}"
            })
    void anyItemsInBracketsAreRemovedTogether(String form) throws FileEdit.Impossible {
        String[] names = {"a", "b", "c", "d"};
        String text = form;
        for (String name : names) {
            text = text.replace(
                    name.toUpperCase(Locale.ROOT),
                    "{\"apiVersion\":\"v1\",\"kind\":\"Service\",\"metadata\":{\"name\":\"" + name
                            + "\"},\"spec\":{\"ports\":[{\"port\":80}]}}");
        }
        for (int gone = 1; gone < 15; gone++) {
            FileEdit edit = file(text);
            List<ObjectKey> left = new ArrayList<>();
            for (int i = 0; i < names.length; i++) {
                if ((gone >> i & 1) == 1) {
                    edit.remove(key(names[i]));
                } else {
                    left.add(key(names[i]));
                }
            }
            assertThat(edit.decoded().problems()).as("without %s", gone).isEmpty();
            assertThat(edit.decoded().objects().stream()
                            .map(object -> object.object().key()))
                    .containsExactlyElementsOf(left);
        }
    }

    @Test
    void anItemOfAListWithATypeGetsItsKindAsATextOfItsOwn() throws Exception {
        ObjectKey key = new ObjectKey(ObjectKey.Kind.SERVICE, "default", "a");
        String json = "{\"apiVersion\":\"v1\",\"kind\":\"ServiceList\",\"items\":["
                + "{\"metadata\":{\"name\":\"a\"},\"spec\":{\"clusterIP\":\"None\"}}]}";
        assertThat(new FileEdit("a.json", json, Dialect.STORED)
                        .text(key)
                        .orElseThrow()
                        .strip())
                .isEqualTo("{\"apiVersion\": \"v1\", \"kind\": \"Service\", \"metadata\":{\"name\":\"a\"},"
                        + "\"spec\":{\"clusterIP\":\"None\"}}");
        String yaml = "apiVersion: v1\nkind: ServiceList\nitems:\n- metadata: {name: a}\n  spec: {clusterIP: None}\n";
        assertThat(new FileEdit("a.yaml", yaml, Dialect.STORED).text(key))
                .contains("apiVersion: v1\nkind: Service\nmetadata: {name: a}\nspec: {clusterIP: None}\n");
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
