package io.dualstackd.agent.log.io;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** docs/logging.md lists the keys of fields: all that the sources log, and no others. */
final class LogKeysTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Pattern CALL = Pattern.compile(
            "(?:\\bLOG|\\blog)\\.(?:error|warn|info|debug|trace)\\(|\\bwarning\\.say\\(|\\bString (?:FIGURES|GAP) = ");
    private static final Pattern KEY = Pattern.compile("(?:^|\\s)([A-Za-z][A-Za-z0-9_.-]*)=");
    private static final Pattern ROW =
            Pattern.compile("(?m)^\\| ((?:`[^`]+`(?:, )?)+) \\| (?:text|number|boolean) \\|");
    private static final Pattern CODE = Pattern.compile("`([^`]+)`");

    @Test
    void everyKeyIsInTheTable() throws IOException {
        Set<String> logged = new TreeSet<>();
        try (Stream<Path> modules = Files.list(ROOT)) {
            for (Path module : modules.toList()) {
                Path sources = module.resolve("src/main/java");
                if (Files.isDirectory(sources)
                        && !List.of("bench", "training")
                                .contains(module.getFileName().toString())) {
                    logged.addAll(keysBelow(sources));
                }
            }
        }
        assertThat(logged).contains("family", "reason", "ms");
        assertThat(documented()).containsExactlyElementsOf(logged);
    }

    private static Set<String> documented() throws IOException {
        Set<String> keys = new TreeSet<>();
        Matcher row = ROW.matcher(Files.readString(ROOT.resolve("docs/logging.md")));
        while (row.find()) {
            CODE.matcher(row.group(1)).results().forEach(code -> keys.add(code.group(1)));
        }
        return keys;
    }

    private static Set<String> keysBelow(Path sources) throws IOException {
        Set<String> keys = new TreeSet<>();
        try (Stream<Path> files = Files.walk(sources)) {
            for (Path file :
                    files.filter(name -> name.toString().endsWith(".java")).toList()) {
                String text = Files.readString(file);
                Matcher call = CALL.matcher(text);
                while (call.find()) {
                    KEY.matcher(template(text, call.end())).results().forEach(key -> keys.add(key.group(1)));
                }
            }
        }
        return keys;
    }

    /** The literals of a call's first argument, put together: up to a comma or the end of the call. */
    private static String template(String text, int from) {
        StringBuilder template = new StringBuilder();
        for (int i = from; i < text.length() && ",);".indexOf(text.charAt(i)) < 0; i++) {
            if (text.charAt(i) == '"') {
                for (i++; text.charAt(i) != '"'; i++) {
                    if (text.charAt(i) == '\\') {
                        i++;
                    }
                    template.append(text.charAt(i));
                }
            }
        }
        return template.toString();
    }
}
