package io.dualstackd.agent.log.io;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.dualstackd.agent.log.LogFormat;
import io.dualstackd.agent.log.LogLevel;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Values come from objects, files and processes of others. Whatever they hold, they stay values. */
final class LogValuesTest {
    private static final String[] HOSTILE = {
        "\" level=\"x",
        " family=IPv6",
        "x family=IPv6 next=\"all is well",
        "a\\",
        "\\\" level=x",
        "{}",
        "{0}",
        "$1\\2",
        "\"",
        "",
        "\n2026-01-01T00:00:00.000Z ERROR dataplane  sync failed family=IPv6",
        "\u001b[2J\u001b]0;x\u0007",
        "\r\t\u0000\u007f\u0085",
        "a\u2028b\u2029c\u202ed",
        "\ud800",
        "é 世 🦊",
    };

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final Logger log = LoggerFactory.getLogger("dataplane");

    private void install(LogFormat format) {
        LogSetup.install(format, LogLevel.INFO, new PrintStream(bytes, true, StandardCharsets.UTF_8));
    }

    private String written() {
        return bytes.toString(StandardCharsets.UTF_8);
    }

    /** The message of the only line. */
    private String message() {
        assertThat(written()).endsWith("\n");
        String line = written().substring(0, written().length() - 1);
        assertThat(line.codePoints()).noneMatch(c -> switch (Character.getType(c)) {
            case Character.CONTROL, Character.FORMAT, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR -> true;
            default -> false;
        });
        return line.substring("2026-11-21T04:52:01.123Z WARN  dataplane  ".length());
    }

    static String[] hostile() {
        return HOSTILE.clone();
    }

    @AfterEach
    void restore() {
        LogSetup.install(LogFormat.TEXT, LogLevel.INFO, System.err);
    }

    @ParameterizedTest
    @MethodSource("hostile")
    void aValueIsOneFieldOfJson(String value) throws IOException {
        install(LogFormat.JSON);
        log.warn("contested family={} by=\"{}\" what={} pod={}/{} next=repair", "IPv4", value, value, "a", value);
        assertThat(written()).matches("[ -~]*\n");
        Map<String, Object> line = parsed(written());
        assertThat(line)
                .containsOnlyKeys("time", "level", "logger", "thread", "msg", "fields")
                .containsEntry("level", "WARN")
                .containsEntry("logger", "dataplane")
                .containsEntry("msg", "contested");
        assertThat(line.get("fields"))
                .isEqualTo(Map.of("family", "IPv4", "by", value, "what", value, "pod", "a/" + value, "next", "repair"));
    }

    @ParameterizedTest
    @MethodSource("hostile")
    void aValueInProseIsNoField(String value) throws IOException {
        install(LogFormat.JSON);
        log.warn("manifest refused: {} next=look-again", value);
        log.warn("{}", value);
        List<String> lines = written().lines().toList();
        assertThat(lines).hasSize(2);
        assertThat(parsed(lines.getFirst()))
                .containsEntry("fields", Map.of("next", "look-again"))
                .containsEntry("msg", "manifest refused: " + value);
        assertThat(parsed(lines.getLast())).doesNotContainKey("fields").containsEntry("msg", value);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"next\": \"x\"}",
                "x\",\"level\":\"ERROR",
                "true",
                "17",
                "-1.5e3",
                "null",
                "msg=x",
                "a\nb=c",
                "a\u001b[31mb=\"c\""
            })
    void aTextOfAnObjectStaysAText(String value) throws IOException {
        install(LogFormat.JSON);
        log.warn("service left out service={} {} kernel=\"{}\" what={} retry={}ms", value, value, value, value, value);
        assertThat(written()).matches("[ -~]*\n");
        Map<String, Object> line = parsed(written());
        assertThat(line)
                .containsOnlyKeys("time", "level", "logger", "thread", "msg", "fields")
                .containsEntry("msg", "service left out " + value)
                .containsEntry("level", "WARN");
        assertThat(line.get("fields"))
                .isEqualTo(Map.of("service", value, "kernel", value, "what", value, "retry", value + "ms"));
    }

    @Test
    void numbersAndBooleansKeepTheirType() throws IOException {
        install(LogFormat.JSON);
        log.info("in force steps={} bytes={} ms={} first={} word={} in={}ms", 3, 4L, 5.5, true, "6", 7);
        assertThat(written())
                .contains("\"msg\":\"in force\",")
                .endsWith(
                        "\"fields\":{\"steps\":3,\"bytes\":4,\"ms\":5.5,\"first\":true,\"word\":\"6\",\"in\":\"7ms\"}}\n");
    }

    @Test
    void theMessageIsTheSentenceWithoutTheFields() throws IOException {
        install(LogFormat.JSON);
        log.info("a={} first {} b=\"{}\" c={} then {} d={}", 1, "x=1", 2, 3, "y ", 4);
        log.info("only={}", 1);
        List<String> lines = written().lines().toList();
        assertThat(parsed(lines.getFirst())).containsEntry("msg", "first x=1 then y ");
        assertThat(parsed(lines.getLast())).containsEntry("msg", "only=1");
    }

    @ParameterizedTest
    @MethodSource("hostile")
    void textIsOneLineThatCanBeReadBack(String value) {
        install(LogFormat.TEXT);
        log.warn("contested family={} by=\"{}\" what={} next=repair", "IPv4", value, value);
        assertThat(message())
                .matches(
                        "contested family=IPv4 by=\"([^\"\\\\]|\\\\.)*\" what=(\"([^\"\\\\]|\\\\.)*\"|[^\"=]*) next=repair");
    }

    @ParameterizedTest
    @MethodSource("hostile")
    void anExceptionIsIndented(String value) {
        install(LogFormat.TEXT);
        log.warn("our mistake", new IllegalStateException(value));
        assertThat(written().split("\n", -1))
                .startsWith(written().substring(0, written().indexOf('\n')))
                .endsWith("");
        assertThat(written().lines().skip(1)).allMatch(line -> line.startsWith("    "));
        assertThat(written().codePoints()).noneMatch(c -> Character.isISOControl(c) && c != '\n' && c != '\t');
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "in force",
                "10.0.0.1:443",
                "[shop/web, shop/api]",
                "cannot open /a/b: No such file or directory (errno 2)",
                "a=b",
                "it's 100% é 世 🦊",
                "",
            })
    void ordinaryValuesAreTextAsTheyAre(String value) {
        install(LogFormat.TEXT);
        log.warn("{} done: {} by=\"{}\" what={} pod={}/{} in={}ms", value, value, value, value, "x", value, 3);
        assertThat(message())
                .isEqualTo(value + " done: " + value + " by=\"" + value + "\" what=" + value + " pod=x/" + value
                        + " in=3ms");
    }

    @Test
    void valuesOfEveryKind() {
        install(LogFormat.TEXT);
        Object nothing = null;
        log.warn("a={} b={} c={} d={} e={}", nothing, new int[] {1, 2}, true, 'c', new Object[] {"x", 1});
        assertThat(message()).isEqualTo("a=null b=[1, 2] c=true d=c e=[x, 1]");
    }

    @Test
    void anExceptionAfterTheValuesIsNoValue() throws IOException {
        install(LogFormat.JSON);
        log.error("decoder failed file={} size={}", "a\" level=\"x.yaml", new IllegalStateException("x"));
        assertThat(parsed(written()))
                .containsKey("exception")
                .containsEntry("fields", Map.of("file", "a\" level=\"x.yaml", "size", "{}"));
    }

    @Test
    void libraryTextHasNoFields() throws IOException {
        install(LogFormat.JSON);
        LoggerFactory.getLogger("org.example.Library").warn("odd: family=IPv6 size={}", 3);
        java.util.logging.Logger.getLogger("org.example.Other").warning("odd: family=IPv6");
        List<String> lines = written().lines().toList();
        assertThat(parsed(lines.getFirst()))
                .doesNotContainKey("fields")
                .containsEntry("msg", "odd: family=IPv6 size=3")
                .containsEntry("logger", "org.example.Library");
        assertThat(parsed(lines.getLast())).doesNotContainKey("fields").containsEntry("level", "WARN");
    }

    private static Map<String, Object> parsed(String json) throws IOException {
        try (JsonParser parser = new JsonFactory().createParser(json)) {
            parser.nextToken();
            return object(parser);
        }
    }

    private static Map<String, Object> object(JsonParser parser) throws IOException {
        Map<String, Object> fields = new LinkedHashMap<>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String name = parser.currentName();
            Object value = parser.nextToken() == JsonToken.START_OBJECT ? object(parser) : parser.getText();
            assertThat(fields.put(name, value)).as(name).isNull();
        }
        return fields;
    }
}
