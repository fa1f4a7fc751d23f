package io.dualstackd.dataplane.cases;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A case as text: prose, and blocks of a heading with indented lines below it. The headings are
 *
 * <ul>
 *   <li>{@code node}: starts a new scene with this node; see {@link CaseWords}
 *   <li>{@code service NS/NAME:PORT}: a service port
 *   <li>{@code change node} or {@code change NS/NAME:PORT}: other values for some of its properties
 *   <li>{@code delete NS/NAME:PORT} (without lines)
 *   <li>{@code packets}: see {@link PacketLine}
 *   <li>{@code expect frame}, {@code expect rules}, {@code expect change}: what all Services share, what Services add, what the
 *       last steps changed; as lines of {@code iptables-save}
 * </ul>
 *
 * Any other line that is not indented is prose.
 */
record CaseFile(Path path, List<Block> blocks) {
    private static final Path FOLDER = Path.of("src/test/cases");
    private static final Pattern HEADING = Pattern.compile(
            "node|packets|expect (frame|rules|change)|change node|(service|change|delete) [^ /]+/[^ /]+");

    /**
     * @param line where the heading stands, from 1
     * @param body the lines below the heading without their indentation; empty for prose
     */
    record Block(int line, String heading, List<String> body) {
        /** {@code node}, {@code service} and so on; empty for prose. */
        String verb() {
            return HEADING.matcher(heading).matches() ? heading.split(" ", 2)[0] : "";
        }

        /** What stands behind the verb. */
        String object() {
            return heading.substring(verb().length()).strip();
        }
    }

    static List<Path> all() {
        try (Stream<Path> files = Files.list(FOLDER)) {
            return files.filter(file -> file.toString().endsWith(".case"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static CaseFile read(Path path) {
        try {
            return parse(path, Files.readAllLines(path));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static CaseFile parse(Path path, List<String> lines) {
        List<Block> blocks = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            if (line.startsWith("  ")) {
                Block last = blocks.isEmpty() ? new Block(0, "", List.of()) : blocks.removeLast();
                if (last.verb().isEmpty()) {
                    throw new IllegalArgumentException(path + ":" + (i + 1) + ": no heading above this line");
                }
                List<String> body = new ArrayList<>(last.body());
                body.add(line.substring(2));
                blocks.add(new Block(last.line(), last.heading(), body));
            } else {
                blocks.add(new Block(i + 1, line.strip(), List.of()));
            }
        }
        return new CaseFile(path, blocks);
    }

    String text() {
        return blocks.stream()
                .flatMap(block -> Stream.concat(
                        Stream.of(block.heading()), block.body().stream().map(line -> "  " + line)))
                .collect(Collectors.joining("\n", "", "\n"));
    }

    void write() {
        try {
            Files.writeString(path, text());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
