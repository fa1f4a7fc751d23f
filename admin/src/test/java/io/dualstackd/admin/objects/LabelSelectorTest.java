package io.dualstackd.admin.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class LabelSelectorTest {
    private static final Map<String, String> LABELS = Map.of("app", "web", "tier", "front", "empty", "");

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            app=web                     | true
            app==web                    | true
            app = web                   | true
            app=db                      | false
            app!=db                     | true
            app!=web                    | false
            none!=x                     | true
            app                         | true
            none                        | false
            !none                       | true
            !app                        | false
            empty=                      | true
            app=web,tier=front          | true
            app=web, tier=back          | false
            app in (web,db)             | true
            app in ( web , db )         | true
            app in (db)                 | false
            app notin (db)              | true
            app notin (web)             | false
            none notin (x)              | true
            app in (web),tier notin (a) | true
            """)
    void selectsAsKubectlDoes(String selector, boolean selected) {
        assertThat(LabelSelector.parse(selector).matches(LABELS)).isEqualTo(selected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"app in web", "app=we b", "=web", "app in (web", "a,,b", "app>1", "!"})
    void refusesInvalidSelectorWithItsPlace(String selector) {
        assertThatThrownBy(() -> LabelSelector.parse(selector))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("\"" + selector + "\": at \"");
    }
}
