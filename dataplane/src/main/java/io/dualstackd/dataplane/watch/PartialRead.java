package io.dualstackd.dataplane.watch;

/** The result of judging a message before it is decoded. */
public sealed interface PartialRead {
    /** It is about no object of dualstackd. */
    record Nothing() implements PartialRead {}

    /** It is about an object of dualstackd. */
    record Ours(ChangedObject change) implements PartialRead {}

    /** It has to be decoded to decide. */
    record Unclear() implements PartialRead {}

    PartialRead NOTHING = new Nothing();
    PartialRead UNCLEAR = new Unclear();
}
