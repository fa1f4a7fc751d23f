package io.dualstackd.kubeapi.tree;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.netlink.random.Tries;
import org.junit.jupiter.api.Test;

/** Whatever the text, the answer is documents, never an exception. */
final class YamlTextFuzzTest {
    /** Found by chance: a tag with a blank at its end, after its percent signs are resolved. */
    @Test
    void aTagThatTheLibraryWouldNotMake() {
        assertThat(YamlText.documents("!-%a")).hasSize(1);
        assertThat(YamlText.documents("a: !b%20 c")).hasSize(1);
    }

    @Test
    void anyTextIsAnswered() {
        Tries.of(3_000, draw -> assertThat(YamlText.documents(draw.text(80))).isNotNull());
    }

    @Test
    void anyYamlLikeTextIsAnswered() {
        Tries.of(5_000, draw -> {
            for (Document document : YamlText.documents(draw.text(60, "-: \n[]{}&*!|>'\"#%.,?\tabc"))) {
                assertThat(document.number()).isPositive();
            }
        });
    }
}
