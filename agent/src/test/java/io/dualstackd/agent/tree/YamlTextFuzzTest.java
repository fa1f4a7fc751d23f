package io.dualstackd.agent.tree;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.Chars;
import net.jqwik.api.constraints.StringLength;

/** Whatever the text, the answer is documents, never an exception. */
final class YamlTextFuzzTest {
    /** Found by chance: a tag with a blank at its end, after its percent signs are resolved. */
    @Example
    void aTagThatTheLibraryWouldNotMake() {
        assertThat(YamlText.documents("!-%a")).hasSize(1);
        assertThat(YamlText.documents("a: !b%20 c")).hasSize(1);
    }

    @Property(tries = 3_000)
    void anyTextIsAnswered(@ForAll @StringLength(max = 80) String text) {
        assertThat(YamlText.documents(text)).isNotNull();
    }

    @Property(tries = 5_000)
    void anyYamlLikeTextIsAnswered(
            @ForAll
                    @StringLength(max = 60)
                    @Chars({
                        '-', ':', ' ', '\n', '[', ']', '{', '}', '&', '*', '!', '|', '>', '\'', '"', '#', '%', '.', ',',
                        '?', '\t'
                    })
                    @CharRange(from = 'a', to = 'c')
                    String text) {
        for (Document document : YamlText.documents(text)) {
            assertThat(document.number()).isPositive();
        }
    }
}
