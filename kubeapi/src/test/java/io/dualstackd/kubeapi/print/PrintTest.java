package io.dualstackd.kubeapi.print;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.kubeapi.tree.Document;
import io.dualstackd.kubeapi.tree.Place;
import io.dualstackd.kubeapi.tree.Problem;
import io.dualstackd.kubeapi.tree.Tree;
import io.dualstackd.kubeapi.tree.YamlText;
import io.dualstackd.netlink.random.Tries;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class PrintTest {
    private static final Tree NODE = Tree.object("name", "node-1")
            .with("primary", "fd00::1")
            .with("ready", true)
            .with("pods", 3)
            .with("nothing", List.of())
            .with("empty", Tree.object())
            .with("families", List.of("IPv4", "no"))
            .with(
                    "addresses",
                    List.of(
                            Tree.object("type", "InternalIP").with("address", "10.0.0.1"),
                            List.of(Tree.of("a: b"), Tree.of(-1)),
                            Tree.object("inner", Tree.object("x", "\"y\\\n"))));

    @Test
    void yaml() {
        assertThat(YamlPrint.of(NODE)).isEqualTo("""
                name: node-1
                primary: fd00::1
                ready: true
                pods: 3
                nothing: []
                empty: {}
                families:
                - IPv4
                - "no"
                addresses:
                - type: InternalIP
                  address: 10.0.0.1
                - - "a: b"
                  - -1
                - inner:
                    x: "\\"y\\\\\\n"
                """);
    }

    /** Text of a file must not look like another line, or move a terminal's cursor. */
    @Test
    void controlCharactersAreShownAsEscapes() {
        String name = "a\u001b[31m\nfake: line";
        Problem problem =
                Problem.error(new Place.InFile("a\n.yaml", 1, 4, "metadata.name"), name, "must be a DNS label");
        assertThat(problem)
                .hasToString(
                        "a\\n.yaml:4 (document 1): metadata.name: \"a\\u001b[31m\\nfake: line\": must be a DNS label");
        assertThat(problem.diagnostic()).startsWith("a\\n.yaml:4 (document 1): error: metadata.name: \"a\\u001b[31m");
        assertThat(TextTable.print(List.of(List.of("NAME"), List.of(name), List.of("zo\u00eb"))))
                .isEqualTo("NAME\na\\u001b[31m\\nfake: line\nzo\u00eb\n");
    }

    /** The program's threads have half a megabyte of stack. */
    @Test
    void longTextsNeedLittleStack() throws InterruptedException {
        List<String> printed = new ArrayList<>();
        Thread thread = new Thread(
                null,
                () -> printed.add(YamlPrint.of(Tree.object("words", "some words ".repeat(20_000) + "end")
                        .with("digits", "30".repeat(20_000)))),
                "print",
                512 << 10);
        thread.start();
        thread.join();
        assertThat(printed).singleElement().asString().hasSizeGreaterThan(250_000);
    }

    @Test
    void anyValueBecomesATree() {
        Tree tree = Tree.object("text", Duration.ofSeconds(3))
                .with("share", 1.5)
                .with("there", Optional.of(7L))
                .with("absent", Optional.empty())
                .with("map", new TreeMap<>(Map.of("b", List.of(), "a", true)))
                .with("text", "changed in its place");
        assertThat(JsonPrint.compact(tree))
                .isEqualTo(
                        "{\"text\":\"changed in its place\",\"share\":1.5,\"there\":7,\"map\":{\"a\":true,\"b\":[]}}");
        assertThat(JsonPrint.line(tree))
                .isEqualTo("{\"text\": \"changed in its place\", \"share\": 1.5, \"there\": 7,"
                        + " \"map\": {\"a\": true, \"b\": []}}");
    }

    /** YAML has octal and hexadecimal numbers and infinity. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            0x1f | "0x1f" | 31
            0o17 | "0o17" | 15
            -12  | -12    | -12
            .inf | ".inf" | ".inf"
            1e3  | 1e3    | "1e3"
            TRUE | true   | true
            ~    | null   |
            """)
    void valuesWithoutJsonForm(String yaml, String json, @Nullable String asAnApiServerReturnsIt) {
        Tree.Mapping tree = (Tree.Mapping)
                ((Document.Parsed) YamlText.documents("x: " + yaml).getFirst()).tree();
        assertThat(JsonPrint.compact(tree)).isEqualTo("{\"x\":" + json + "}");
        assertThat(JsonPrint.compact(TreeOutput.object(tree)))
                .isEqualTo(asAnApiServerReturnsIt == null ? "{}" : "{\"x\":" + asAnApiServerReturnsIt + "}");
    }

    @Test
    void bothSayTheSame() {
        assertThat(tree(YamlPrint.of(NODE))).isEqualTo(tree(JsonPrint.indented(NODE)));
    }

    /** Addresses stand for themselves where no YAML takes them for a number or the end of a key. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            10.0.0.1        | 10.0.0.1
            10.96.0.0/16    | 10.96.0.0/16
            fd00:96::a      | fd00:96::a
            fd00::/112      | fd00::/112
            2001:db8::10:1  | 2001:db8::10:1
            ::1             | "::1"
            fd00::          | "fd00::"
            1:2:3:4:5:6:7:8 | "1:2:3:4:5:6:7:8"
            1.5             | "1.5"
            10:30           | "10:30"
            """)
    void addresses(String text, String yaml) {
        assertThat(YamlPrint.of(Tree.object("x", text))).isEqualTo("x: " + yaml + "\n");
        assertThat(tree("x: " + yaml + "\n")).isEqualTo(Map.of("x", "TEXT " + text));
    }

    @Test
    void everyTextComesBack() {
        Tries.of(1_000, draw -> everyTextComesBack(draw.text(200)));
    }

    private void everyTextComesBack(String text) {
        // A lone half of a surrogate pair is no text.
        String whole = new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
        Tree value = Tree.object("text", whole);
        assertThat(tree(YamlPrint.of(value))).isEqualTo(Map.of("text", "TEXT " + whole));
    }

    /** A reader refuses the last two code points of the basic plane. */
    @Test
    void nonCharactersAreEscaped() {
        assertThat(YamlPrint.of(Tree.object("text", "a\ufffe\uffff"))).isEqualTo("text: \"a\\ufffe\\uffff\"\n");
    }

    @Test
    void tables() {
        assertThat(TextTable.print(List.of(List.of("NAME", "IP"), List.of("a", ""), List.of("longer", "10.0.0.1"))))
                .isEqualTo("NAME     IP\na        -\nlonger   10.0.0.1\n");
    }

    private static Object tree(String text) {
        List<Document> documents = YamlText.documents(text);
        assertThat(documents).hasSize(1);
        assertThat(documents.getFirst()).isInstanceOf(Document.Parsed.class);
        return plain(((Document.Parsed) documents.getFirst()).tree());
    }

    private static Object plain(Tree tree) {
        return switch (tree) {
            case Tree.Mapping mapping ->
                mapping.entries().entrySet().stream()
                        .collect(Collectors.toMap(Map.Entry::getKey, e -> plain(e.getValue())));
            case Tree.Sequence sequence ->
                sequence.items().stream().map(PrintTest::plain).toList();
            case Tree.Scalar scalar -> scalar.type() + " " + scalar.text();
        };
    }
}
