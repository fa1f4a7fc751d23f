package io.dualstackd.kubeapi.tree;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Lists and objects of plain YAML in brackets on one line: <code>{addresses: ["10.0.0.1"], nodeName: node-2}</code>. */
final class FlowText {
    private final byte[] text;
    private final int end;
    private final int line;
    private int at;

    private FlowText(byte[] text, int from, int end, int line) {
        this.text = text;
        this.at = from;
        this.end = end;
        this.line = line;
    }

    static boolean isFlow(byte first) {
        return first == '{' || first == '[';
    }

    /** Reads all of a part of a line that begins with a bracket and does not end with a blank. */
    static Tree read(byte[] text, int from, int to, int line, int depth) throws NotPlain {
        FlowText flow = new FlowText(text, from, to, line);
        Tree tree = flow.collection(depth);
        if (flow.at != to) {
            throw new NotPlain();
        }
        return tree;
    }

    private Tree collection(int depth) throws NotPlain {
        if (depth >= TreeReader.MAX_DEPTH) {
            throw new NotPlain();
        }
        return text[at] == '{' ? mapping(depth) : sequence(depth);
    }

    private Tree mapping(int depth) throws NotPlain {
        Map<String, Tree> entries = new LinkedHashMap<>();
        at++;
        boolean more = !isClosedBy('}');
        while (more) {
            int colon = PlainScalar.keyEnd(text, at, end);
            if (colon == 0) {
                throw new NotPlain();
            }
            String key = PlainScalar.string(text, at, colon);
            at = colon + 1;
            skipBlanks();
            if (entries.put(key, value(depth)) != null) {
                throw new NotPlain();
            }
            more = isContinued('}');
        }
        return new Tree.Mapping(entries, line);
    }

    private Tree sequence(int depth) throws NotPlain {
        List<Tree> list = new ArrayList<>();
        at++;
        boolean more = !isClosedBy(']');
        while (more) {
            list.add(value(depth));
            more = isContinued(']');
        }
        return new Tree.Sequence(list, line);
    }

    private Tree value(int depth) throws NotPlain {
        if (isFlow(here())) {
            return collection(depth + 1);
        }
        int from = at;
        at = PlainScalar.isQuote(here()) ? PlainScalar.closingQuote(text, from, end) + 1 : wordEnd();
        int to = at;
        while (to > from && text[to - 1] == ' ') {
            to--;
        }
        if (to == from) {
            throw new NotPlain();
        }
        return PlainScalar.read(text, from, to, line);
    }

    /** The end of a word without quotes, at the comma or the bracket behind it. */
    private int wordEnd() throws NotPlain {
        for (int i = at; i < end; i++) {
            switch (text[i]) {
                case ',', ']', '}' -> {
                    return i;
                }
                case '[', '{' -> throw new NotPlain();
                default -> {}
            }
        }
        throw new NotPlain();
    }

    private boolean isClosedBy(char bracket) throws NotPlain {
        skipBlanks();
        boolean closed = here() == bracket;
        at += closed ? 1 : 0;
        return closed;
    }

    /** Goes behind the comma and the blanks after it, or behind the bracket; returns whether it was a comma. */
    private boolean isContinued(char bracket) throws NotPlain {
        if (isClosedBy(bracket)) {
            return false;
        }
        if (here() != ',') {
            throw new NotPlain();
        }
        at++;
        skipBlanks();
        return true;
    }

    private void skipBlanks() {
        while (at < end && text[at] == ' ') {
            at++;
        }
    }

    private byte here() throws NotPlain {
        if (at >= end) {
            throw new NotPlain();
        }
        return text[at];
    }
}
