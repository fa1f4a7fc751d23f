package io.dualstackd.agent.faults;

/** Where the daemon gets its objects from. */
enum Source {
    CLUSTER,
    /** A manifest folder. */
    FOLDER,
    /** A manifest folder, and a ledger that Services get their addresses from. */
    LEDGER
}
