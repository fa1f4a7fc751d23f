package io.dualstackd.agent.host.io;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** The kernel's OOM score adjustment of this process. Lowering it needs CAP_SYS_RESOURCE. */
final class OomScore {
    private static final Path OWN = Path.of("/proc/self/oom_score_adj");

    private OomScore() {}

    /**
     * Sets it.
     *
     * @param wanted -1000 to 1000
     * @return why it stays as it is; empty when it has the value
     */
    static Optional<String> apply(int wanted) {
        return apply(OWN, wanted);
    }

    static Optional<String> apply(Path file, int wanted) {
        String text = Integer.toString(wanted);
        try {
            if (!Files.readString(file).strip().equals(text)) {
                Files.writeString(file, text);
            }
            return Optional.empty();
        } catch (IOException e) {
            return Optional.of("oom_score_adj is not " + text + " (" + ConntrackSettings.reason(e)
                    + "): when memory is short the kernel may end dualstackd before others; lowering it needs CAP_SYS_RESOURCE,"
                    + " or let the supervisor do it (systemd: OOMScoreAdjust=" + text + ")");
        }
    }
}
