package io.dualstackd.agent.cli;

import io.dualstackd.kubeapi.print.JsonPrint;
import io.dualstackd.kubeapi.tree.Tree;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A template as {@code kubectl get -o jsonpath=} takes it: {@code {.metadata.name}}, {@code {.spec.ports[*].port}},
 * {@code {.items[?(@.spec.type=="NodePort")].metadata.name}}, {@code {..ip}},
 * {@code {range .items[*]}{.metadata.name}{"\n"}{end}}.
 *
 * <p>Outside braces everything is printed as it is. Several values are printed with a blank between them, objects and lists as JSON. A
 * field that an object does not have gives nothing.
 */
final class JsonPathTemplate {
    /** A part of the template. */
    private sealed interface Part {
        record Text(String text) implements Part {}

        record Path(List<Step> steps) implements Part {}

        record Range(Path path, List<Part> body) implements Part {}
    }

    /** A step from values to others. */
    private interface Step {
        Stream<Tree> from(Tree value);
    }

    private final List<Part> parts;

    private JsonPathTemplate(List<Part> parts) {
        this.parts = parts;
    }

    /**
     * Parses a template; a path without braces is taken as one in braces.
     *
     * @throws IllegalArgumentException when it is not one; the message names the place
     */
    static JsonPathTemplate parse(String text) {
        return new JsonPathTemplate(new Parser(text.contains("{") ? text : "{" + text + "}").parts(false));
    }

    /** Returns what the template prints for an object. */
    String print(Tree object) {
        StringBuilder text = new StringBuilder();
        print(parts, object, text);
        return text.toString();
    }

    private static void print(List<Part> parts, Tree at, StringBuilder to) {
        for (Part part : parts) {
            switch (part) {
                case Part.Text(String text) -> to.append(text);
                case Part.Path path ->
                    to.append(values(path, at).map(JsonPathTemplate::shown).collect(Collectors.joining(" ")));
                case Part.Range(Part.Path path, List<Part> body) ->
                    values(path, at).forEach(item -> print(body, item, to));
            }
        }
    }

    private static Stream<Tree> values(Part.Path path, Tree at) {
        Stream<Tree> values = Stream.of(at);
        for (Step step : path.steps()) {
            values = values.flatMap(step::from);
        }
        return values;
    }

    private static String shown(Tree value) {
        return value instanceof Tree.Scalar scalar ? scalar.text() : JsonPrint.compact(value);
    }

    private static Stream<Tree> children(Tree value) {
        return switch (value) {
            case Tree.Mapping mapping -> mapping.entries().values().stream();
            case Tree.Sequence sequence -> sequence.items().stream();
            case Tree.Scalar ignored -> Stream.empty();
        };
    }

    private static Stream<Tree> descendants(Tree value) {
        return Stream.concat(Stream.of(value), children(value).flatMap(JsonPathTemplate::descendants));
    }

    private static Stream<Tree> field(Tree value, String name) {
        return value instanceof Tree.Mapping mapping && mapping.entries().containsKey(name)
                ? Stream.of(mapping.entries().get(name))
                : Stream.empty();
    }

    /** The items from {@code from} up to but not including {@code to}; negative numbers count from the end. */
    private static Stream<Tree> items(Tree value, int from, int to) {
        if (!(value instanceof Tree.Sequence(List<Tree> items, int line))) {
            return Stream.empty();
        }
        int first = Math.max(0, from < 0 ? items.size() + from : from);
        int last = Math.min(items.size(), to < 0 ? items.size() + to : to);
        return first < last ? items.subList(first, last).stream() : Stream.empty();
    }

    /** Reads a template from left to right. */
    private static final class Parser {
        private static final String OPERATORS = "=!<>";
        private static final String NUMBER = "[+-]?\\d{1,30}(\\.\\d{1,30})?";
        private final String text;
        private int at;

        Parser(String text) {
            this.text = text;
        }

        /** @param ranged whether the parts end with {@code {end}} and not with the text */
        List<Part> parts(boolean ranged) {
            List<Part> parts = new ArrayList<>();
            while (at < text.length()) {
                int brace = text.indexOf('{', at);
                if (brace != at) {
                    int end = brace < 0 ? text.length() : brace;
                    parts.add(new Part.Text(text.substring(at, end)));
                    at = end;
                    continue;
                }
                at++;
                blanks();
                if (isEnd()) {
                    at += 3;
                    close();
                    if (!ranged) {
                        throw wrong("{end} without {range}");
                    }
                    return parts;
                }
                parts.add(braced());
            }
            if (ranged) {
                throw wrong("{end} is missing");
            }
            return parts;
        }

        /** Whether this is the word itself: {@code endpoints} is a field. */
        private boolean isEnd() {
            return text.startsWith("end", at) && (at + 3 == text.length() || " }".indexOf(text.charAt(at + 3)) >= 0);
        }

        private Part braced() {
            if (text.startsWith("range ", at)) {
                at += 6;
                Part.Path path = path();
                close();
                return new Part.Range(path, parts(true));
            }
            if (at < text.length() && (text.charAt(at) == '"' || text.charAt(at) == '\'')) {
                Part.Text literal = new Part.Text(quoted());
                close();
                return literal;
            }
            Part.Path path = path();
            close();
            return path;
        }

        private void close() {
            blanks();
            expect('}');
        }

        private Part.Path path() {
            List<Step> steps = new ArrayList<>();
            blanks();
            if (at < text.length() && (text.charAt(at) == '$' || text.charAt(at) == '@')) {
                at++;
            }
            while (at < text.length()) {
                char next = text.charAt(at);
                if (next == '.') {
                    at++;
                    if (at < text.length() && text.charAt(at) == '.') {
                        at++;
                        steps.add(JsonPathTemplate::descendants);
                    }
                    if (at < text.length() && text.charAt(at) != '[') {
                        steps.add(name());
                    }
                } else if (next == '[') {
                    at++;
                    steps.add(brackets());
                } else if (steps.isEmpty() && Character.isLetter(next)) {
                    steps.add(name());
                } else {
                    break;
                }
            }
            return new Part.Path(List.copyOf(steps));
        }

        private Step name() {
            if (text.charAt(at) == '*') {
                at++;
                return JsonPathTemplate::children;
            }
            StringBuilder name = new StringBuilder();
            while (at < text.length() && ".[]{}()=!<>, \"'".indexOf(text.charAt(at)) < 0) {
                if (text.charAt(at) == '\\' && at + 1 < text.length()) {
                    at++;
                }
                name.append(text.charAt(at++));
            }
            String field = name.toString();
            // The path "." means the object itself.
            return field.isEmpty() ? Stream::of : value -> field(value, field);
        }

        private Step brackets() {
            blanks();
            Step step;
            if (text.startsWith("?(", at)) {
                at += 2;
                Predicate<Tree> condition = condition();
                expect(')');
                step = value -> children(value).filter(condition);
            } else if (text.startsWith("*", at)) {
                at++;
                step = JsonPathTemplate::children;
            } else if (text.startsWith("'", at) || text.startsWith("\"", at)) {
                String field = quoted();
                step = value -> field(value, field);
            } else {
                step = numbers();
            }
            blanks();
            expect(']');
            return step;
        }

        /** {@code [1]}, {@code [-1]}, {@code [0,2]} or {@code [1:3]}. */
        private Step numbers() {
            int bracket = text.indexOf(']', at);
            int end = bracket < 0 ? text.length() : bracket;
            String inside = text.substring(at, end).strip();
            try {
                if (inside.contains(":")) {
                    String[] ends = inside.split(":", -1);
                    int from = number(ends, 0, 0);
                    int to = number(ends, 1, Integer.MAX_VALUE);
                    int step = number(ends, 2, 1);
                    if (ends.length > 3 || step < 1) {
                        throw wrong("a range must be FROM:TO or FROM:TO:STEP with a step of 1 or more");
                    }
                    at = end;
                    return value -> every(step, items(value, from, to).toList());
                }
                List<Integer> places = Stream.of(inside.split(",", -1))
                        .map(String::strip)
                        .map(Integer::valueOf)
                        .toList();
                at = end;
                return value -> places.stream()
                        .flatMap(place -> items(value, place, place == -1 ? Integer.MAX_VALUE : place + 1));
            } catch (NumberFormatException e) {
                throw wrong("must be a number, a range, *, a quoted name or ?(condition)");
            }
        }

        private static int number(String[] words, int index, int otherwise) {
            return index >= words.length || words[index].isBlank() ? otherwise : Integer.parseInt(words[index].strip());
        }

        private static Stream<Tree> every(int step, List<Tree> items) {
            int by = Math.min(step, Math.max(1, items.size()));
            return IntStream.iterate(0, i -> i < items.size(), i -> i + by).mapToObj(items::get);
        }

        private Predicate<Tree> condition() {
            Part.Path left = path();
            blanks();
            int from = at;
            while (at < text.length() && OPERATORS.indexOf(text.charAt(at)) >= 0) {
                at++;
            }
            String operator = text.substring(from, at);
            if (operator.isEmpty()) {
                return item -> values(left, item).findAny().isPresent();
            }
            blanks();
            boolean isText = at < text.length() && "\"'".indexOf(text.charAt(at)) >= 0;
            String right = isText ? quoted() : bare();
            blanks();
            Predicate<Integer> order = switch (operator) {
                case "==" -> order0 -> order0 == 0;
                case "!=" -> order0 -> order0 != 0;
                case "<" -> order0 -> order0 < 0;
                case "<=" -> order0 -> order0 <= 0;
                case ">" -> order0 -> order0 > 0;
                case ">=" -> order0 -> order0 >= 0;
                default -> throw wrong("\"" + operator + "\": must be ==, !=, <, <=, > or >=");
            };
            boolean isNumber = !isText && right.matches(NUMBER);
            return item -> values(left, item).anyMatch(value -> order.test(compare(shown(value), right, isNumber)));
        }

        /** In quotes, {@code 1.10} is a text and not the number {@code 1.1}. */
        private static int compare(String left, String right, boolean asNumbers) {
            return asNumbers && left.matches(NUMBER)
                    ? new BigDecimal(left).compareTo(new BigDecimal(right))
                    : left.compareTo(right);
        }

        private String bare() {
            int from = at;
            while (at < text.length() && ") ".indexOf(text.charAt(at)) < 0) {
                at++;
            }
            return text.substring(from, at);
        }

        private String quoted() {
            char quote = text.charAt(at++);
            StringBuilder value = new StringBuilder();
            while (at < text.length() && text.charAt(at) != quote) {
                char letter = text.charAt(at++);
                if (letter == '\\' && at < text.length()) {
                    letter = switch (text.charAt(at++)) {
                        case 'n' -> '\n';
                        case 't' -> '\t';
                        case 'r' -> '\r';
                        default -> text.charAt(at - 1);
                    };
                }
                value.append(letter);
            }
            expect(quote);
            return value.toString();
        }

        private void blanks() {
            while (at < text.length() && text.charAt(at) == ' ') {
                at++;
            }
        }

        private void expect(char letter) {
            if (at >= text.length() || text.charAt(at) != letter) {
                throw wrong("expected " + letter);
            }
            at++;
        }

        private IllegalArgumentException wrong(String rule) {
            return new IllegalArgumentException(
                    "jsonpath \"" + text + "\": at \"" + text.substring(Math.min(at, text.length())) + "\": " + rule);
        }
    }
}
