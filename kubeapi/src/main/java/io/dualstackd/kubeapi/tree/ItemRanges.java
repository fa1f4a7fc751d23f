package io.dualstackd.kubeapi.tree;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.common.FlowStyle;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.events.SequenceStartEvent;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.parser.ParserImpl;
import org.snakeyaml.engine.v2.scanner.StreamReader;

/**
 * Where the items of the list under the key {@code items} at the top of a document stand in its text. Of several such keys the last one
 * counts.
 *
 * @param flow whether the list is written in brackets; otherwise each item begins with a dash
 * @param column of the dashes, counted from 0
 */
public record ItemRanges(boolean flow, int column, List<Range> ranges) {
    private static final LoadSettings SETTINGS = LoadSettings.builder()
            .setUseMarks(true)
            .setCodePointLimit(Integer.MAX_VALUE)
            .build();

    /**
     * An item.
     *
     * @param start of its first character, behind the dash
     * @param end behind its last character in brackets; with dashes, where the next thing begins
     * @param column of its first character, counted from 0
     */
    public record Range(int start, int end, int column) {}

    public ItemRanges {
        ranges = List.copyOf(ranges);
    }

    /** The items of a text that is one document; empty when it has no such list. */
    public static Optional<ItemRanges> of(String document) {
        try {
            return read(document, new ParserImpl(SETTINGS, new StreamReader(SETTINGS, document)));
        } catch (YamlEngineException e) {
            return Optional.empty();
        }
    }

    private static Optional<ItemRanges> read(String text, ParserImpl events) {
        boolean found = false;
        Optional<ItemRanges> last = Optional.empty();
        // Stream, document and mapping are levels; a key of the mapping is a scalar at an even place.
        int depth = 0;
        boolean key = true;
        while (events.hasNext()) {
            Event event = events.next();
            if (found && depth == 1) {
                found = false;
                key = true;
                last = Optional.empty();
                if (event instanceof SequenceStartEvent list) {
                    last = Optional.of(items(text, list, events));
                    continue;
                }
            } else if (depth == 1) {
                found = key
                        && event instanceof ScalarEvent scalar
                        && scalar.getValue().equals(TreeReader.ITEMS);
                key = !key;
            }
            depth += switch (event.getEventId()) {
                case MappingStart, SequenceStart -> 1;
                case MappingEnd, SequenceEnd -> -1;
                default -> 0;
            };
        }
        return last;
    }

    private static ItemRanges items(String text, SequenceStartEvent list, ParserImpl events) {
        List<Range> ranges = new ArrayList<>();
        Offsets offsets = new Offsets(text);
        int depth = 0;
        Mark start = mark(list.getStartMark());
        Mark first = start;
        while (true) {
            Event event = events.next();
            if (depth == 0) {
                if (event.getEventId() == Event.ID.SequenceEnd) {
                    return new ItemRanges(list.getFlowStyle() == FlowStyle.FLOW, start.getColumn(), ranges);
                }
                first = mark(event.getStartMark());
            }
            depth += switch (event.getEventId()) {
                case MappingStart, SequenceStart -> 1;
                case MappingEnd, SequenceEnd -> -1;
                default -> 0;
            };
            if (depth == 0) {
                int begin = offsets.of(first.getIndex());
                ranges.add(new Range(begin, offsets.of(mark(event.getEndMark()).getIndex()), first.getColumn()));
            }
        }
    }

    private static Mark mark(Optional<Mark> mark) {
        return mark.orElseThrow(() -> new YamlEngineException("no place"));
    }

    /** Turns the places of the parser, which counts code points, into offsets; asked in ascending order. */
    private static final class Offsets {
        private final String text;
        private int points;
        private int offset;

        Offsets(String text) {
            this.text = text;
        }

        int of(int codePoints) {
            offset = text.offsetByCodePoints(offset, codePoints - points);
            points = codePoints;
            return offset;
        }
    }
}
