package io.dualstackd.agent.cli;

import io.dualstackd.agent.config.AgentConfig;
import io.dualstackd.agent.config.ConfigResult;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * How the daemon is to be started.
 *
 * @param usable what it was told
 * @param files where it was told so; flags never change
 * @param reading reads all of it once more
 */
public record Launch(ConfigResult.Usable usable, List<Path> files, Reading reading) {
    public Launch {
        files = List.copyOf(files);
    }

    /** Files and flags as they are now. */
    public interface Reading {
        /** @throws IOException when a file cannot be read, with its name and why */
        ConfigResult again() throws IOException;
    }

    public AgentConfig config() {
        return usable.config();
    }
}
