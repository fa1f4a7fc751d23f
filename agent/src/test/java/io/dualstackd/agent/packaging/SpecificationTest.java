package io.dualstackd.agent.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The table of requirements names tests that exist, and a reason for whatever is not as the documents say. */
final class SpecificationTest {
    private static final Path PAGE = Path.of("../docs/specification.md");
    private static final Pattern NAME = Pattern.compile("`(\\w+)`");
    private static final Pattern TESTS = Pattern.compile("@(Test|ParameterizedTest|TestFactory)\\b");

    private record Row(String number, String requirement, String verdict, List<String> tests) {}

    private static List<Row> rows() throws IOException {
        List<Row> rows = new ArrayList<>();
        for (String line : Files.readAllLines(PAGE)) {
            if (line.matches("\\| \\d+-\\d+ \\|.*")) {
                String[] cells = line.split("\\|", -1);
                assertThat(cells).as(line).hasSize(6);
                rows.add(new Row(
                        cells[1].strip(),
                        cells[2].strip(),
                        cells[3].strip(),
                        NAME.matcher(cells[4])
                                .results()
                                .map(found -> found.group(1))
                                .toList()));
            }
        }
        return rows;
    }

    /** Sources of tests by the names of their classes. */
    private static Map<String, List<Path>> sources() throws IOException {
        Map<String, List<Path>> sources = new HashMap<>();
        try (Stream<Path> modules = Files.list(Path.of(".."))) {
            for (Path module : modules.toList()) {
                Path tests = module.resolve("src/test/java");
                if (Files.isDirectory(tests)) {
                    try (Stream<Path> files = Files.walk(tests)) {
                        files.filter(file -> file.toString().endsWith(".java")).forEach(file -> {
                            String name = file.getFileName().toString().replace(".java", "");
                            sources.computeIfAbsent(name, _ -> new ArrayList<>())
                                    .add(file);
                        });
                    }
                }
            }
        }
        return sources;
    }

    @Test
    void everyTestThatIsNamedExistsAndTests() throws IOException {
        Map<String, List<Path>> sources = sources();
        for (Row row : rows()) {
            for (String test : row.tests) {
                assertThat(sources).as("row %s", row.number).containsKey(test);
                boolean tests = false;
                for (Path file : sources.getOrDefault(test, List.of())) {
                    tests |= TESTS.matcher(Files.readString(file)).find();
                }
                assertThat(tests).as("%s of row %s has tests", test, row.number).isTrue();
            }
        }
    }

    @Test
    void everyRowHasAVerdictWithTestOrReason() throws IOException {
        List<Row> rows = rows();
        assertThat(rows).hasSizeGreaterThan(150);
        for (Row row : rows) {
            assertThat(row.requirement).as("row %s", row.number).endsWith(".");
            assertThat(row.verdict)
                    .as("row %s", row.number)
                    .matches("yes([:,] .{5,}| on a .{5,})?|differs: .{15,}|not here: .{10,}");
            assertThat(row.tests.isEmpty())
                    .as("tests of row %s", row.number)
                    .isEqualTo(row.verdict.startsWith("not here"));
        }
    }

    @Test
    void rowsAreNumberedInOrder() throws IOException {
        Map<String, Integer> last = new HashMap<>();
        for (Row row : rows()) {
            MatchResult parts = Pattern.compile("(\\d+)-(\\d+)")
                    .matcher(row.number)
                    .results()
                    .findFirst()
                    .orElseThrow();
            int number = Integer.parseInt(parts.group(2));
            assertThat(number).as(row.number).isEqualTo(last.getOrDefault(parts.group(1), 0) + 1);
            last.put(parts.group(1), number);
        }
        assertThat(last.keySet()).containsExactlyInAnyOrder("563", "1664", "1880", "21");
    }
}
