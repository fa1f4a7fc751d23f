import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Measures the main sources as text; {@code bin/structure} starts it. {@code ArchitectureTest} checks the same on class files. */
final class Structure {
    private static final int MOST_FILES = 30;
    private static final int MOST_LINES = 20_000;

    private static final Pattern NOT_CODE =
            Pattern.compile("\"\"\".*?\"\"\"|\"(?:[^\"\\\\\n]|\\\\.)*\"|/\\*.*?\\*/|//[^\n]*", Pattern.DOTALL);
    private static final Pattern IMPORT = Pattern.compile("(?m)^import (?:static )?([\\w.]+?)\\.([A-Z]\\w*)[\\w.*]*;");
    private static final Pattern QUALIFIED = Pattern.compile("\\b(io\\.dualstackd(?:\\.[a-z]\\w*)*)\\.[A-Z]");

    /** @param lines of the file, blank ones and comments included */
    private record Source(String module, String packageName, String name, int lines, Set<String> uses) {}

    static void main(String[] arguments) throws IOException {
        Path root = Path.of(arguments[0]);
        List<Source> sources = new ArrayList<>();
        try (Stream<Path> files = Files.walk(root, Integer.MAX_VALUE)) {
            for (Path file : files.filter(Structure::isMain).sorted().toList()) {
                sources.add(read(root, file));
            }
        }
        boolean bad = modules(sources);
        bad |= packages(sources);
        bad |= cycles(sources);
        bad |= names(sources);
        lengths(sources);
        System.exit(bad ? 1 : 0);
    }

    private static boolean isMain(Path file) {
        String path = file.toString();
        return path.endsWith(".java")
                && path.contains("/src/main/java/")
                && !path.endsWith("package-info.java")
                && !path.contains("/target/");
    }

    private static Source read(Path root, Path file) throws IOException {
        String text = Files.readString(file);
        String code = NOT_CODE.matcher(text).replaceAll(" ");
        String body = code.replaceAll("(?m)^(import|package) .*$", "");
        String name = file.getFileName().toString().replace(".java", "");
        String inSource = file.toString().replaceAll(".*/src/main/java/", "");
        String own = inSource.substring(0, inSource.lastIndexOf('/')).replace('/', '.');
        Set<String> uses = new TreeSet<>();
        IMPORT.matcher(code)
                .results()
                // An import that only a comment needs is no dependency.
                .filter(i -> i.group().startsWith("import static")
                        || Pattern.compile("\\b" + i.group(2) + "\\b")
                                .matcher(body)
                                .find())
                .forEach(i -> uses.add(i.group(1)));
        QUALIFIED.matcher(body).results().forEach(q -> uses.add(q.group(1)));
        uses.remove(own);
        return new Source(
                root.relativize(file).getName(0).toString(),
                own,
                name,
                (int) text.lines().count(),
                uses);
    }

    private static boolean modules(List<Source> sources) {
        Map<String, List<Source>> modules =
                sources.stream().collect(Collectors.groupingBy(Source::module, TreeMap::new, Collectors.toList()));
        System.out.printf("%-14s %8s %6s%n", "MODULE", "LINES", "FILES");
        boolean bad = false;
        for (Map.Entry<String, List<Source>> module : modules.entrySet()) {
            int lines = module.getValue().stream().mapToInt(Source::lines).sum();
            bad |= lines > MOST_LINES;
            System.out.printf(
                    "%-14s %8d %6d%s%n",
                    module.getKey(),
                    lines,
                    module.getValue().size(),
                    lines > MOST_LINES ? "  more than " + MOST_LINES : "");
        }
        System.out.printf(
                "%-14s %8d %6d%n",
                "all", sources.stream().mapToInt(Source::lines).sum(), sources.size());
        return bad;
    }

    private static boolean packages(List<Source> sources) {
        Map<String, Long> packages =
                sources.stream().collect(Collectors.groupingBy(Source::packageName, Collectors.counting()));
        System.out.printf("%n%d packages; the largest:%n", packages.size());
        packages.entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                .limit(5)
                .forEach(p -> System.out.printf("  %-45s %3d files%n", p.getKey(), p.getValue()));
        return packages.values().stream().anyMatch(files -> files > MOST_FILES);
    }

    private static boolean cycles(List<Source> sources) {
        Map<String, Set<String>> uses = new TreeMap<>();
        sources.forEach(
                s -> uses.computeIfAbsent(s.packageName(), p -> new TreeSet<>()).addAll(s.uses()));
        List<Set<String>> cycles = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        for (String start : uses.keySet()) {
            if (seen.contains(start)) {
                continue;
            }
            Set<String> both = reachable(start, uses);
            both.removeIf(other -> !reachable(other, uses).contains(start));
            if (both.size() > 1) {
                both.add(start);
                cycles.add(new TreeSet<>(both));
            }
            seen.addAll(both);
        }
        System.out.printf("%npackage cycles: %d%n", cycles.size());
        cycles.forEach(cycle -> System.out.println("  " + String.join(", ", cycle)));
        return !cycles.isEmpty();
    }

    private static Set<String> reachable(String start, Map<String, Set<String>> uses) {
        Set<String> all = new HashSet<>();
        Deque<String> next = new ArrayDeque<>(uses.getOrDefault(start, Set.of()));
        while (!next.isEmpty()) {
            String one = next.pop();
            if (all.add(one)) {
                next.addAll(uses.getOrDefault(one, Set.of()));
            }
        }
        return all;
    }

    private static boolean names(List<Source> sources) {
        Map<String, List<String>> names = new HashMap<>();
        sources.forEach(
                s -> names.computeIfAbsent(s.name(), n -> new ArrayList<>()).add(s.packageName()));
        names.values().removeIf(packages -> packages.size() == 1);
        System.out.printf("simple names of two classes: %d%n", names.size());
        names.forEach((name, packages) -> System.out.println("  " + name + ": " + String.join(", ", packages)));
        return !names.isEmpty();
    }

    private static void lengths(List<Source> sources) {
        int[] lines = sources.stream().mapToInt(Source::lines).sorted().toArray();
        System.out.printf(
                "lines of a file: median %d, 90th percentile %d, longest %d (%s)%n",
                lines[lines.length / 2],
                lines[lines.length * 9 / 10],
                lines[lines.length - 1],
                sources.stream()
                        .max((a, b) -> Integer.compare(a.lines(), b.lines()))
                        .orElseThrow()
                        .name());
    }
}
