package io.dualstackd.cri;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the facts out of a {@code .proto} text: as much of proto3 as one file without imports of its own types needs. What it does not
 * know it refuses.
 */
final class ProtoText {
    private static final Pattern TOKEN = Pattern.compile(
            "\\s+|//[^\\n]*|/\\*.*?\\*/|(\"(?:[^\"\\\\]|\\\\.)*\"|[\\w.]+|-\\d+|[{}()\\[\\]<>=;,])", Pattern.DOTALL);

    private final List<String> tokens;
    private final Facts facts = new Facts();
    private int at;

    private ProtoText(List<String> tokens) {
        this.tokens = tokens;
    }

    /** @throws IllegalArgumentException at the first thing that is not understood */
    static Facts facts(String text) {
        List<String> tokens = new ArrayList<>();
        Matcher matcher = TOKEN.matcher(text);
        int end = 0;
        while (end < text.length()) {
            if (!matcher.find(end) || matcher.start() != end) {
                throw new IllegalArgumentException(
                        "not proto: " + text.substring(end, Math.min(end + 40, text.length())));
            }
            if (matcher.group(1) != null) {
                tokens.add(matcher.group(1));
            }
            end = matcher.end();
        }
        ProtoText reader = new ProtoText(tokens);
        while (reader.at < tokens.size()) {
            reader.topLevel();
        }
        return reader.facts;
    }

    private void topLevel() {
        switch (next()) {
            case "syntax" -> {
                want("=");
                want("\"proto3\"");
                want(";");
            }
            case "package" -> {
                facts.scope(next());
                want(";");
            }
            case "option", "import" -> skipPast(";");
            case "message" -> message();
            case "enum" -> enumeration();
            case "service" -> service();
            default -> throw notUnderstood();
        }
    }

    private void message() {
        String name = next();
        facts.message(name);
        want("{");
        while (!taken("}")) {
            switch (peek()) {
                case "message" -> {
                    at++;
                    message();
                }
                case "enum" -> {
                    at++;
                    enumeration();
                }
                case "option", "reserved" -> skipPast(";");
                case "oneof" -> {
                    at += 2;
                    want("{");
                    while (!taken("}")) {
                        field(name, "oneof ");
                    }
                }
                default -> field(name, "");
            }
        }
    }

    private void field(String message, String label) {
        String type = next();
        if (type.equals("repeated")) {
            type = "repeated " + simple(next());
        } else if (type.equals("map")) {
            want("<");
            String key = next();
            want(",");
            type = "map<" + key + ", " + simple(next()) + ">";
            want(">");
        } else if (type.equals("optional")) {
            type = "oneof " + simple(next());
        } else {
            type = simple(type);
        }
        String name = next();
        want("=");
        int number = Integer.parseInt(next());
        options();
        want(";");
        facts.field(message, name, number, label + type);
    }

    private void enumeration() {
        String name = next();
        want("{");
        while (!taken("}")) {
            if (peek().equals("option") || peek().equals("reserved")) {
                skipPast(";");
                continue;
            }
            String value = next();
            want("=");
            int number = Integer.decode(next());
            options();
            want(";");
            facts.value(name, value, number);
        }
    }

    private void service() {
        String service = next();
        want("{");
        while (!taken("}")) {
            want("rpc");
            String name = next();
            want("(");
            boolean inStream = taken("stream");
            String in = simple(next());
            want(")");
            want("returns");
            want("(");
            boolean outStream = taken("stream");
            String out = simple(next());
            want(")");
            if (taken("{")) {
                skipPast("}");
                taken(";");
            } else {
                want(";");
            }
            facts.method(service, name, in, inStream, out, outStream);
        }
    }

    private void options() {
        if (taken("[")) {
            skipPast("]");
        }
    }

    private static String simple(String type) {
        return type.substring(type.lastIndexOf('.') + 1);
    }

    private String peek() {
        if (at >= tokens.size()) {
            throw new IllegalArgumentException("the text ends in the middle of something");
        }
        return tokens.get(at);
    }

    private String next() {
        String token = peek();
        at++;
        return token;
    }

    private boolean taken(String token) {
        if (peek().equals(token)) {
            at++;
            return true;
        }
        return false;
    }

    private void want(String token) {
        if (!taken(token)) {
            at++;
            throw notUnderstood();
        }
    }

    private void skipPast(String token) {
        while (!next().equals(token)) {
            // an option, which changes nothing on the wire
        }
    }

    private IllegalArgumentException notUnderstood() {
        int from = Math.max(0, at - 6);
        return new IllegalArgumentException("not understood: "
                + String.join(" ", tokens.subList(from, Math.min(tokens.size(), at))));
    }
}
