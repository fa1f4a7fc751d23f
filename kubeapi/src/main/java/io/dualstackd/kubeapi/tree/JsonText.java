package io.dualstackd.kubeapi.tree;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** JSON as programs print it (RFC 8259), of ASCII characters. */
final class JsonText extends PlainText {
    /** The full parser refuses longer keys. */
    private static final int MAX_KEY = 1_000;

    JsonText(byte[] text, int end, int firstLine, Consumer<Tree> items) {
        super(text, end, firstLine, items);
    }

    @Override
    Tree document() throws Unusual {
        Tree tree = value(0);
        if (next() != 0) {
            throw new Unusual();
        }
        return tree;
    }

    /** The next character that is not a blank, not consumed; 0 at the end. */
    private int next() {
        for (; at < end; at++) {
            byte c = text[at];
            if (c == '\n') {
                line++;
            } else if (c != ' ' && c != '\t') {
                return c;
            }
        }
        return 0;
    }

    private void expect(int c) throws Unusual {
        if (next() != c) {
            throw new Unusual();
        }
        at++;
    }

    private Tree value(int depth) throws Unusual {
        if (depth >= MAX_DEPTH) {
            throw new Unusual();
        }
        return switch (next()) {
            case '{' -> mapping(depth);
            case '[' -> sequence(depth, null);
            case '"' -> new Tree.Scalar(quoted(), Tree.Type.TEXT, line);
            default -> word();
        };
    }

    private Tree mapping(int depth) throws Unusual {
        int start = line;
        expect('{');
        Map<String, Tree> entries = entries();
        if (next() != '}') {
            do {
                if (next() != '"') {
                    throw new Unusual();
                }
                String key = quoted();
                int lineOfKey = line;
                if (next() != ':' || line != lineOfKey || key.length() > MAX_KEY) {
                    throw new Unusual();
                }
                at++;
                Consumer<Tree> items = itemsAt(depth, key);
                put(entries, key, items != null && next() == '[' ? sequence(depth + 1, items) : value(depth + 1));
            } while (more());
        }
        expect('}');
        return new Tree.Mapping(entries, start);
    }

    private Tree sequence(int depth, @Nullable Consumer<Tree> items) throws Unusual {
        int start = line;
        expect('[');
        List<Tree> list = new ArrayList<>();
        if (next() != ']') {
            do {
                Tree item = value(depth + 1);
                if (items == null) {
                    list.add(item);
                } else {
                    items.accept(item);
                }
            } while (more());
        }
        expect(']');
        return new Tree.Sequence(list, start);
    }

    private boolean more() {
        boolean comma = next() == ',';
        if (comma) {
            at++;
        }
        return comma;
    }

    private String quoted() throws Unusual {
        int from = ++at;
        for (; at < end; at++) {
            byte c = text[at];
            if (c == '"') {
                return string(from, at++);
            }
            if (c == '\\') {
                return escaped(from);
            }
            if (c < ' ') {
                throw new Unusual();
            }
        }
        throw new Unusual();
    }

    private String escaped(int from) throws Unusual {
        StringBuilder decoded = new StringBuilder(string(from, at));
        while (at + 1 < end) {
            byte c = text[at++];
            if (c == '"') {
                return decoded.toString();
            }
            if (c < ' ') {
                throw new Unusual();
            }
            decoded.append(c == '\\' ? escape(text[at++]) : (char) c);
        }
        throw new Unusual();
    }

    private char escape(byte c) throws Unusual {
        return switch (c) {
            case '"', '\\', '/' -> (char) c;
            case 'n' -> '\n';
            case 't' -> '\t';
            case 'r' -> '\r';
            case 'u' -> unicode();
            default -> throw new Unusual();
        };
    }

    /** Reads four hexadecimal digits; surrogates are left to the full parser. */
    private char unicode() throws Unusual {
        int code = 0;
        for (int digits = 0; digits < 4; digits++) {
            int digit = at < end ? Character.digit(text[at++], 16) : -1;
            if (digit < 0) {
                throw new Unusual();
            }
            code = code * 16 + digit;
        }
        if (code < ' ' || Character.isSurrogate((char) code)) {
            throw new Unusual();
        }
        return (char) code;
    }

    /** A number, {@code true}, {@code false} or {@code null}. */
    private Tree word() throws Unusual {
        int from = at;
        while (at < end && (Character.isLetterOrDigit(text[at]) || ".+-".indexOf(text[at]) >= 0)) {
            at++;
        }
        String word = string(from, at);
        boolean number =
                !word.isEmpty() && Character.isDigit(word.charAt(word.startsWith("-") && word.length() > 1 ? 1 : 0));
        if (!number && !word.equals("true") && !word.equals("false") && !word.equals("null")) {
            throw new Unusual();
        }
        return plain(word);
    }
}
