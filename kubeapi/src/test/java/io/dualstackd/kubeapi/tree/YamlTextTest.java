package io.dualstackd.kubeapi.tree;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class YamlTextTest {
    private static Document.Broken broken(String text) {
        List<Document> documents = YamlText.documents(text);
        assertThat(documents).hasSize(1);
        assertThat(documents.getFirst()).isInstanceOf(Document.Broken.class);
        return (Document.Broken) documents.getFirst();
    }

    private static Tree tree(String text) {
        List<Document> documents = YamlText.documents(text);
        assertThat(documents).hasSize(1);
        assertThat(documents.getFirst()).isInstanceOf(Document.Parsed.class);
        return ((Document.Parsed) documents.getFirst()).tree();
    }

    private static Tree.Scalar scalar(String text) {
        return (Tree.Scalar) tree(text);
    }

    @Test
    void documentsAreCutAtMarkersAndKeepTheirLines() {
        List<Document> documents = YamlText.documents("# head\n---\na: 1\n--- # second\n\nb: 2\n...\n---\nc: 3\n");
        assertThat(documents).hasSize(3);
        assertThat(documents).extracting(Document::number).containsExactly(1, 2, 3);
        assertThat(documents)
                .extracting(d -> ((Document.Parsed) d).tree().line())
                .containsExactly(3, 6, 9);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\n\n", "---\n---\n", "# nothing\n", "%YAML 1.2\n---\n", "---\n# a\n---\n...\n"})
    void textWithoutContentHasNoDocuments(String text) {
        assertThat(YamlText.documents(text)).isEmpty();
    }

    /** Programs write JSON objects one after the other, and kubectl reads them. */
    @ParameterizedTest
    @ValueSource(strings = {"{\"a\": 1}\n{\"b\": 2}\n", "\n{\"a\": 1}{\"b\": 2}", "{\"a\": 1}\n[2]\n"})
    void jsonBehindJsonIsRefusedWithWhatToDo(String text) {
        Document.Broken broken = broken(text);
        assertThat(broken.line()).isEqualTo(2);
        assertThat(broken.rule()).isEqualTo("the document ends before this; the next one must begin with a line ---");
    }

    @Test
    void aBrokenDocumentLeavesTheOthersAlone() {
        List<Document> documents = YamlText.documents("a: 1\n---\nb: [1, 2\n---\nc: \"x\n---\nd: 4\n");
        assertThat(documents.get(0)).isInstanceOf(Document.Parsed.class);
        assertThat(documents.get(1)).isInstanceOf(Document.Broken.class);
        assertThat(documents.get(2)).isInstanceOf(Document.Broken.class);
        assertThat(documents.get(3)).isInstanceOf(Document.Parsed.class);
        assertThat(((Document.Broken) documents.get(1)).line()).isBetween(3, 4);
    }

    @Test
    void markersInsideTextAreText() {
        Tree.Mapping mapping = (Tree.Mapping) tree("a: |\n  ---\n  x\nb: '--- '\n");
        assertThat(mapping.entries().get("a")).isEqualTo(new Tree.Scalar("---\nx\n", Tree.Type.TEXT, 1));
    }

    @Test
    void windowsLineEndsAndByteOrderMarkAreFine() {
        assertThat(YamlText.documents("\uFEFFa: 1\r\n---\r\nb: 2\r\n")).hasSize(2);
    }

    /** Files that were joined may each begin with one. */
    @Test
    void aByteOrderMarkMayBeginAnyDocument() {
        for (String line : new String[] {"b: 2\n", "b:\n  c: [1]\n"}) {
            assertThat(YamlText.documents("\uFEFFa: 1\n---\n\uFEFF" + line).getLast())
                    .isInstanceOfSatisfying(
                            Document.Parsed.class,
                            document -> assertThat(((Tree.Mapping) document.tree()).entries())
                                    .containsOnlyKeys("b"));
        }
    }

    @Test
    void jsonWithTabsIsFine() {
        Tree tree = tree("{\n\t\"a\": [1, 2.5, \"x\", true, null],\n\t\"b\": {}\n}\n");
        assertThat(((Tree.Mapping) tree).entries().keySet()).containsExactly("a", "b");
    }

    @Test
    void scalarsHaveTheTypesOfTheCoreSchema() {
        assertThat(scalar("12").type()).isEqualTo(Tree.Type.WHOLE_NUMBER);
        assertThat(scalar("0x1f").type()).isEqualTo(Tree.Type.WHOLE_NUMBER);
        assertThat(scalar("1.5").type()).isEqualTo(Tree.Type.FRACTION);
        assertThat(scalar("True").type()).isEqualTo(Tree.Type.BOOLEAN);
        assertThat(scalar("~").type()).isEqualTo(Tree.Type.NULL);
        assertThat(scalar("\"12\"").type()).isEqualTo(Tree.Type.TEXT);
        assertThat(scalar("10.0.0.1").type()).isEqualTo(Tree.Type.TEXT);
        assertThat(scalar("!!str 12").type()).isEqualTo(Tree.Type.TEXT);
    }

    @Test
    void aliasesShareTheirTree() {
        Tree.Mapping mapping = (Tree.Mapping) tree("a: &x [1, 2]\nb: *x\n");
        assertThat(mapping.entries().get("b")).isSameAs(mapping.entries().get("a"));
    }

    @Test
    void anAliasBombIsRefused() {
        StringBuilder bomb = new StringBuilder("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
        for (int i = 1; i < 12; i++) {
            String alias = "*a" + (i - 1);
            bomb.append(
                    "a" + i + ": &a" + i + " [" + String.join(", ", java.util.Collections.nCopies(10, alias)) + "]\n");
        }
        Document.Broken broken = broken(bomb.toString());
        assertThat(broken.rule()).isEqualTo("its aliases stand for more than 100000 values");
        assertThat(broken.line()).isBetween(4, 7);
    }

    @Test
    void loopsAreRefused() {
        assertThat(broken("a: &x [1, *x]\n").rule()).isEqualTo("alias *x is inside the value it refers to");
        assertThat(broken("a: *nobody\n").rule()).contains("nobody");
    }

    @Test
    void deepNestingIsRefused() {
        assertThat(broken("[".repeat(5_000)).rule()).isEqualTo("nested more than 100 levels deep");
    }

    @Test
    void deepNestingThroughAliasesIsRefused() {
        String inner = "a: &a " + "[".repeat(60) + "x" + "]".repeat(60) + "\n";
        assertThat(broken(inner + "b: " + "[".repeat(60) + "*a" + "]".repeat(60) + "\n"))
                .isEqualTo(new Document.Broken(1, 2, "nested more than 100 levels deep"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a: 1\n\"\\ud800\": 2\n", "{\"a\": 1,\n\"x\\udc00\": 2}"})
    void aKeyWithHalfACharacterIsRefused(String text) {
        assertThat(broken(text))
                .isEqualTo(new Document.Broken(1, 2, "a key has half of a surrogate pair, which is no character"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\u0000\u0001\u0002",
                "a: b: c: d",
                "}{",
                "a\n b\n\tc: [",
                "- a\nb: c",
                "{\"a\": 1} trailing",
                "a: 1\na: 2",
                "? [x]\n: y",
                "<<: {a: 1}",
                "%%%\n&&&",
                "!<x> !<y> &a &b z"
            })
    void garbageIsRefusedWithAReason(String text) {
        assertThat(broken(text).rule()).isNotEmpty().doesNotContain("\n");
    }
}
