package io.dualstackd.agent.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Links between documents lead somewhere, and {@code docs/README.md} lists every document. */
final class DocumentsTest {
    private static final Path ROOT = Path.of("..");
    private static final Path INDEX = ROOT.resolve("docs/README.md");
    private static final Pattern LINK = Pattern.compile("]\\(([^)\\s]+)\\)");
    private static final Pattern HEADING = Pattern.compile("^#+ (.*)$", Pattern.MULTILINE);
    private static final Pattern CODE = Pattern.compile("```.*?```", Pattern.DOTALL);

    private static List<Path> below(String folder) throws IOException {
        try (Stream<Path> files = Files.walk(ROOT.resolve(folder))) {
            return files.filter(file -> file.toString().endsWith(".md")).toList();
        }
    }

    private static List<Path> documents() throws IOException {
        List<Path> all = new ArrayList<>(below("docs"));
        all.addAll(below("deploy/test"));
        for (String more : List.of(
                "README.md", "CONTRIBUTING.md", "dataplane/README.md", "nodeaddr/README.md", "test-vms/README.md")) {
            all.add(ROOT.resolve(more));
        }
        return all;
    }

    private static List<String> links(Path document) throws IOException {
        return LINK.matcher(CODE.matcher(Files.readString(document)).replaceAll(""))
                .results()
                .map(link -> link.group(1))
                .filter(link -> !link.startsWith("https:"))
                .toList();
    }

    /** As GitHub makes them. */
    private static List<String> anchors(Path document) throws IOException {
        return HEADING.matcher(Files.readString(document))
                .results()
                .map((MatchResult heading) -> heading.group(1)
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^a-z0-9 _-]", "")
                        .replace(' ', '-'))
                .toList();
    }

    @Test
    void everyLinkLeadsSomewhere() throws IOException {
        for (Path document : documents()) {
            for (String link : links(document)) {
                String[] parts = link.split("#", 2);
                Path target = parts[0].isEmpty() ? document : document.resolveSibling(parts[0]);
                assertThat(target).as("%s in %s", link, document).exists();
                if (parts.length == 2) {
                    assertThat(anchors(target)).as("%s in %s", link, document).contains(parts[1]);
                }
            }
        }
    }

    @Test
    void theIndexListsEveryDocument() throws IOException {
        TreeSet<Path> listed = new TreeSet<>();
        for (String link : links(INDEX)) {
            listed.add(INDEX.resolveSibling(link).toRealPath());
        }
        for (Path document : documents()) {
            if (!Files.isSameFile(document, INDEX)) {
                assertThat(listed).contains(document.toRealPath());
            }
        }
    }

    @Test
    void theReadmeIsShort() throws IOException {
        assertThat(Files.readAllLines(ROOT.resolve("README.md"))).hasSizeLessThanOrEqualTo(150);
    }
}
