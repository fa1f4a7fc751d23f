package io.dualstackd.agent.faults;

/** Where the daemon has its objects from. */
enum Source {
    CLUSTER,
    FOLDER
}
