package io.dualstackd.kubeapi.tree;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.netlink.random.Tries;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The fast readers give up, or read what the real parser reads. */
final class PlainTextTest {
    private static final List<String> WORDS = List.of(
            "a",
            "true",
            "False",
            "null",
            "Null",
            "nullable",
            "12",
            "0",
            "-1",
            "1.5",
            "1e3",
            "0x1f",
            "0o17",
            "10.0.0.1",
            "007",
            "fd00::1",
            "a b",
            "a: b",
            "a #b",
            "a#b",
            "x:",
            "- x",
            "'",
            "\"",
            "it's",
            "/a/b",
            "~",
            "*x",
            "&x",
            "!x",
            "[x",
            "{x",
            "2026-01-02T03:04:05Z",
            "",
            "|",
            ">",
            "%x",
            "@x",
            "a,b",
            ".5",
            "+1",
            "é",
            "NaN",
            ".nan",
            "yes",
            "y",
            "a\\b",
            "1_000");

    /** Both answers to one text, items included. */
    private record Answer(Optional<Document> document, List<Tree> items) {}

    private static Answer fast(String text) {
        List<Tree> items = new ArrayList<>();
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        Optional<Tree> tree = PlainText.read(bytes, bytes.length, 1, items::add);
        return new Answer(tree.map(t -> new Document.Parsed(1, t)), items);
    }

    private static Answer real(String text) {
        List<Tree> items = new ArrayList<>();
        return new Answer(TreeReader.read(text, 1, 1, items::add, items::clear, (path, line, first) -> {}), items);
    }

    private static boolean agree(String text) {
        Answer fast = fast(text);
        if (fast.document().isPresent()) {
            assertThat(fast).as(text).isEqualTo(real(text));
        }
        return fast.document().isPresent();
    }

    private static Object value(Random random, int depth) {
        return switch (depth > 4 ? 0 : random.nextInt(4)) {
            case 1 -> {
                Map<String, Object> map = new LinkedHashMap<>();
                for (int i = random.nextInt(4); i >= 0; i--) {
                    map.put(
                            List.of("items", "kind", "a.b/c-d", "x", "y1").get(random.nextInt(5)),
                            value(random, depth + 1));
                }
                yield map;
            }
            case 2 -> {
                List<Object> list = new ArrayList<>();
                for (int i = random.nextInt(4); i > 0; i--) {
                    list.add(value(random, depth + 1));
                }
                yield list;
            }
            default -> WORDS.get(random.nextInt(WORDS.size()));
        };
    }

    private static void block(Object value, int indent, boolean inList, Random random, StringBuilder out) {
        String blanks = " ".repeat(indent);
        switch (value) {
            case Map<?, ?> map
            when !map.isEmpty() -> {
                boolean first = inList;
                for (Map.Entry<?, ?> entry : map.entrySet()) {
                    out.append(first ? "" : blanks).append(entry.getKey()).append(':');
                    first = false;
                    under(entry.getValue(), indent, random, out);
                }
            }
            case List<?> list
            when !list.isEmpty() -> {
                for (Object item : list) {
                    out.append(blanks).append("- ");
                    if (item instanceof List<?>) {
                        out.append("[]\n");
                    } else {
                        block(item, indent + 2, true, random, out);
                    }
                }
            }
            case Map<?, ?> empty -> out.append("{}\n");
            case List<?> empty -> out.append("[]\n");
            default -> {
                String word = value.toString();
                String quote = List.of("", "", "\"", "'").get(random.nextInt(4));
                out.append(quote).append(word).append(quote).append(random.nextInt(9) == 0 ? "  \n" : "\n");
                if (random.nextInt(20) == 0) {
                    out.append(
                            List.of("\n", "# c\n", blanks + "  # c\n", "   \n").get(random.nextInt(4)));
                }
            }
        }
    }

    private static void under(Object value, int indent, Random random, StringBuilder out) {
        boolean nested =
                (value instanceof Map<?, ?> map && !map.isEmpty()) || (value instanceof List<?> l && !l.isEmpty());
        out.append(nested ? "\n" : " ");
        int deeper = value instanceof List<?> && random.nextBoolean() ? 0 : 2;
        block(value, indent + deeper, false, random, out);
    }

    private static void json(Object value, Random random, StringBuilder out) {
        String gap = List.of("", "", " ", "\n", "\n  ", "\t").get(random.nextInt(6));
        switch (value) {
            case Map<?, ?> map -> {
                out.append('{');
                String comma = "";
                for (Map.Entry<?, ?> entry : map.entrySet()) {
                    out.append(comma)
                            .append(gap)
                            .append('"')
                            .append(entry.getKey())
                            .append("\":");
                    json(entry.getValue(), random, out);
                    comma = ",";
                }
                out.append(gap).append('}');
            }
            case List<?> list -> {
                out.append('[');
                String comma = "";
                for (Object item : list) {
                    out.append(comma).append(gap);
                    json(item, random, out);
                    comma = ",";
                }
                out.append(gap).append(']');
            }
            default -> {
                String word = value.toString();
                boolean bare = word.matches("-?\\d+(\\.\\d+)?|true|null|1e3|007") && random.nextBoolean();
                out.append(bare ? word : '"' + word.replace("\\", "\\u005c").replace("\"", "\\\"") + '"');
            }
        }
    }

    private static void flow(Object value, Random random, StringBuilder out) {
        String gap = " ".repeat(random.nextInt(3));
        switch (value) {
            case Map<?, ?> map -> {
                out.append('{').append(gap);
                String comma = "";
                for (Map.Entry<?, ?> entry : map.entrySet()) {
                    out.append(comma).append(entry.getKey()).append(": ").append(gap);
                    flow(entry.getValue(), random, out);
                    comma = gap + ", " + gap;
                }
                out.append(gap).append('}');
            }
            case List<?> list -> {
                out.append('[').append(gap);
                String comma = "";
                for (Object item : list) {
                    out.append(comma);
                    flow(item, random, out);
                    comma = gap + "," + gap;
                }
                out.append(gap).append(']');
            }
            default -> {
                String quote = List.of("", "", "\"", "'").get(random.nextInt(4));
                out.append(quote).append(value).append(quote);
            }
        }
    }

    private static String damaged(String text, Random random) {
        int at = random.nextInt(text.length() + 1);
        int cut = Math.min(text.length(), at + random.nextInt(4));
        String insert = List.of(
                        "", " ", "  ", "\n", ":", ": ", "- ", "#", " #", "\"", "'", "{", "}", ",", "\t", "x", "---\n",
                        "&a ")
                .get(random.nextInt(18));
        return text.substring(0, at) + insert + text.substring(cut);
    }

    private static void check(String text, Random random) {
        agree(text);
        for (int i = 0; i < 5; i++) {
            agree(damaged(text, random));
        }
    }

    @Test
    void blocks() {
        Tries.of(3_000, draw -> blocks(draw.seed()));
    }

    private void blocks(long seed) {
        Random random = new Random(seed);
        StringBuilder out = new StringBuilder(random.nextInt(3) == 0 ? "---\n" : "");
        Object value = value(random, 0);
        block(value instanceof Map<?, ?> ? value : Map.of("items", value), 0, false, random, out);
        check(out.toString(), random);
    }

    @Test
    void inBrackets() {
        Tries.of(3_000, draw -> inBrackets(draw.seed()));
    }

    private void inBrackets(long seed) {
        Random random = new Random(seed);
        StringBuilder out = new StringBuilder();
        for (int i = random.nextInt(3); i >= 0; i--) {
            out.append(List.of("items: ", "- ", "- b: ", "b: ", "    ").get(random.nextInt(5)));
            flow(value(random, 2), random, out);
            out.append(random.nextInt(9) == 0 ? "  \n" : "\n");
        }
        check(out.toString(), random);
    }

    @Test
    void json() {
        Tries.of(3_000, draw -> json(draw.seed()));
    }

    private void json(long seed) {
        Random random = new Random(seed);
        StringBuilder out = new StringBuilder();
        Object value = value(random, 0);
        json(value instanceof Map<?, ?> ? value : Map.of("items", value), random, out);
        check(out.toString(), random);
    }

    /** What kubectl and Helm print must not fall to the slow parser. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "---\n# Source: x\napiVersion: v1\nkind: Service\nmetadata:\n  name: web\n  labels:\n    a.b/c: \"1\"\nspec:\n  ports:\n  - name: http\n    port: 80\n  clusterIP: 10.0.0.1\n  selector: {}\n",
                "metadata: {name: a, labels: {kubernetes.io/service-name: a}}\nports: [{name: http, port: 80}, {port: 1}]\nendpoints:\n- {addresses: [\"fd00::1\", 10.0.0.1], conditions: {ready: true}}\nx: [ ]\n",
                "apiVersion: v1\nitems:\n- kind: Node\n  metadata:\n    name: n1\n- kind: Node\n  x: null\nkind: List\n",
                "{\"apiVersion\": \"v1\", \"items\": [{\"a\": [1, 2.5, true, null, \"x\\n\\u003c\"]}],\n \"kind\": \"List\"}\n"
            })
    void parsesOutputOfPrograms(String text) {
        assertThat(agree(text)).isTrue();
    }

    @Test
    void deepNestingIsLeftToTheRealParser() {
        assertThat(agree("{\"a\":".repeat(99) + "1" + "}".repeat(99))).isTrue();
        assertThat(agree("{\"a\":".repeat(200) + "1" + "}".repeat(200))).isFalse();
        assertThat(agree("a: " + "[".repeat(98) + "1" + "]".repeat(98))).isTrue();
        assertThat(agree("a: " + "[".repeat(200) + "1" + "]".repeat(200))).isFalse();
        assertThat(agree("a".repeat(TreeReader.MAX_KEY + 1) + ": 1")).isFalse();
    }
}
