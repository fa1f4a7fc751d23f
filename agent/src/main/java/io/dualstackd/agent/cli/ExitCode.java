package io.dualstackd.agent.cli;

/** The exit code of a command. Numbers never change their meaning: scripts and units depend on them. */
public enum ExitCode {
    OK(0, "All went well."),
    FAILED(
            1,
            "Something failed while running; for status: the daemon has failed; for describe: something is wrong with the"
                    + " Service; for explain and trace: the packet does not go as planned, or none was seen; for get: there is none of that name;"
                    + " for apply, delete and edit: refused, nothing was changed; for pods:"
                    + " the container runtime"
                    + " does not answer; for addresses: there is none."),
    USAGE(2, "The command line or the configuration is wrong; nothing was started."),
    UNSUPPORTED(
            3,
            "Privileges are missing (CAP_NET_ADMIN) or the kernel lacks what is needed; or a running daemon had no memory left."),
    NOT_RUNNING(4, "No daemon answers on the admin socket, or not in time."),
    DEGRADED(5, "For status: traffic flows by the last good rules, but something that is named there is wrong.");

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
