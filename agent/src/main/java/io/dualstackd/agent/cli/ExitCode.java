package io.dualstackd.agent.cli;

/** The exit code of a command. Numbers never change their meaning: scripts and units depend on them. */
public enum ExitCode {
    OK(0, "All went well."),
    FAILED(
            1,
            "Something failed; for status: the daemon has failed; for describe: something is wrong with the Service; for"
                    + " explain and trace: the packet is not handled as planned, or none was seen; for get: no object has that"
                    + " name; for get, describe, service list, top and explain: the source of the objects has not been read"
                    + " completely yet; for apply, delete and edit: refused, nothing was changed; for diff: there are differences; for"
                    + " validate: there are errors; for pods: the container runtime does not answer; for addresses: the node has"
                    + " none; for every command: its output could not be written completely, for example on a full disk."),
    USAGE(
            2,
            "The command line or the configuration is wrong, and nothing was started; for diff: the objects would be refused."),
    UNSUPPORTED(3, "Privileges (CAP_NET_ADMIN) or kernel features are missing; or a running daemon ran out of memory."),
    NOT_RUNNING(4, "No daemon answers on the admin socket, or not in time."),
    DEGRADED(5, "For status: traffic follows the last good rules, but there is a problem, which is printed.");

    private final int number;
    private final String meaning;

    ExitCode(int number, String meaning) {
        this.number = number;
        this.meaning = meaning;
    }

    public int number() {
        return number;
    }

    /** The meaning in one sentence, for help texts. */
    public String meaning() {
        return meaning;
    }
}
