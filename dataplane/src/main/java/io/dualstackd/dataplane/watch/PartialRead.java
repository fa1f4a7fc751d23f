package io.dualstackd.dataplane.watch;

/** What a glance at a message tells. */
public sealed interface PartialRead {
    /** It is no business of ours. */
    record Nothing() implements PartialRead {}

    /** It is about something of ours. */
    record Ours(ChangedObject change) implements PartialRead {}

    /** It has to be decoded to know. */
    record Unclear() implements PartialRead {}

    PartialRead NOTHING = new Nothing();
    PartialRead UNCLEAR = new Unclear();
}
