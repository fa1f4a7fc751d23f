package io.dualstackd.dataplane.watch;

/** What a glance at a message tells. */
public sealed interface Look {
    /** It is no business of ours. */
    record Nothing() implements Look {}

    /** It is about something of ours. */
    record Ours(ChangedObject change) implements Look {}

    /** It has to be decoded to know. */
    record Unclear() implements Look {}

    Look NOTHING = new Nothing();
    Look UNCLEAR = new Unclear();
}
