package io.dualstackd.agent.cli;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The text of an object as it is given to an editor: below lines of ours, which are taken out again.
 *
 * @param heading lines of ours, each a comment
 * @param text the text of the object
 */
record EditBuffer(List<String> heading, String text) {
    private static final String MARK = "#| ";

    EditBuffer {
        heading = List.copyOf(heading);
    }

    /**
     * A text below messages.
     *
     * @param file name of the file that is edited; line numbers behind it are moved to where the lines will be
     */
    static EditBuffer below(List<String> messages, String file, String text) {
        Pattern place = Pattern.compile(Pattern.quote(file) + ":(\\d+)");
        List<String> heading = new ArrayList<>();
        for (String message : messages) {
            String moved = place.matcher(message)
                    .replaceAll(found -> Matcher.quoteReplacement(
                            file + ":" + (Integer.parseInt(found.group(1)) + messages.size())));
            heading.add((MARK + moved).stripTrailing());
        }
        return new EditBuffer(heading, text);
    }

    /** The content of the file when the editor opens. */
    String shown() {
        return heading.stream().map(line -> line + "\n").collect(Collectors.joining()) + text;
    }

    /**
     * The text of the object in a file that was saved: without our lines, wherever they are now. Those at the top count as ours even if
     * they were changed: replacing a word in the whole file is usual.
     */
    String saved(String file) {
        Set<String> ours = new HashSet<>(heading);
        StringBuilder rest = new StringBuilder();
        int line = 0;
        for (int from = 0; from < file.length(); line++) {
            int end = file.indexOf('\n', from);
            int to = end < 0 ? file.length() : end + 1;
            String next = file.substring(from, to);
            boolean atTop = rest.isEmpty() && line < heading.size() && next.startsWith(MARK.stripTrailing());
            if (!atTop && !ours.contains(next.stripTrailing())) {
                rest.append(next);
            }
            from = to;
        }
        return rest.toString();
    }

    /** Whether a text is blank but for comments. */
    static boolean isEmpty(String text) {
        return text.lines()
                .allMatch(line -> line.isBlank() || line.stripLeading().startsWith("#"));
    }
}
