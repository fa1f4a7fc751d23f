package io.dualstackd.agent.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dualstackd.kubeapi.tree.JsonTree;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class JsonPathTemplateTest {
    private static final String OBJECT = """
            {"items": [
              {"name": "a", "version": "1.1", "port": 80, "on": true},
              {"name": "b", "version": "1.10", "port": 443, "on": false},
              {"name": "1f", "version": "x", "port": 8080},
              {"name": "1d"},
              {"name": "e"}
            ]}
            """;

    private static String print(String template) throws IOException {
        return JsonPathTemplate.parse(template).print(JsonTree.read(OBJECT.getBytes(StandardCharsets.UTF_8), 0));
    }

    /** In quotes it is a text, also when it looks like a number; without, a number is compared as such. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {.items[?(@.version=="1.1")].name}   | a
            {.items[?(@.version=="1.10")].name}  | b
            {.items[?(@.version!="1.1")].name}   | b 1f
            {.items[?(@.name=="1f")].name}       | 1f
            {.items[?(@.port==80)].name}         | a
            {.items[?(@.port==80.0)].name}       | a
            {.items[?(@.port=="80")].name}       | a
            {.items[?(@.port>80)].name}          | b 1f
            {.items[?(@.port<=443)].name}        | a b
            {.items[?(@.on==true)].name}         | a
            {.items[?(@.on)].name}               | a b
            """)
    void conditions(String template, String printed) throws IOException {
        assertThat(print(template)).isEqualTo(printed);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {.items[0:2].name}     | a b
            {.items[-2:].name}     | 1d e
            {.items[0:5:2].name}   | a 1f e
            {.items[::3].name}     | a 1d
            {.items[1::2147483647].name} | b
            {.items[0,-1].name}    | a e
            """)
    void ranges(String template, String printed) throws IOException {
        assertThat(print(template)).isEqualTo(printed);
    }

    @Test
    void aFieldMayBeginLikeAWordOfTheTemplate() throws IOException {
        byte[] slice = "{\"endpoints\": [{\"ranges\": 1}, {\"ranges\": 2}]}".getBytes(StandardCharsets.UTF_8);
        assertThat(JsonPathTemplate.parse("endpoints[0].ranges").print(JsonTree.read(slice, 0)))
                .isEqualTo("1");
        assertThat(JsonPathTemplate.parse("{range endpoints[*]}{ranges},{ end }")
                        .print(JsonTree.read(slice, 0)))
                .isEqualTo("1,2,");
    }

    @Test
    void aRangeThatIsNone() {
        for (String range : new String[] {"0:2:0", "0:2:-1", "0:1:2:3"}) {
            assertThatThrownBy(() -> JsonPathTemplate.parse("{.items[" + range + "]}"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("a range must be FROM:TO or FROM:TO:STEP");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"{.items[0", "{.items[0:2", "{.items[0,1", "{.items[*", "{.items['a'", "{.items[?(@.name)"})
    void bracketsAreClosed(String template) {
        assertThatThrownBy(() -> JsonPathTemplate.parse(template))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("expected ]");
    }
}
