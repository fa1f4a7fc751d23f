package io.dualstackd.agent.cli;

import io.dualstackd.agent.config.AgentConfig;
import io.dualstackd.agent.config.ConfigResult;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * The configuration to start the daemon with, and where it came from.
 *
 * @param usable the configuration
 * @param files the files it was read from; flags never change
 * @param reading reads files and flags again
 */
public record Launch(ConfigResult.Usable usable, List<Path> files, Reading reading) {
    public Launch {
        files = List.copyOf(files);
    }

    /** Reads files and flags as they are now. */
    public interface Reading {
        /** @throws IOException when a file cannot be read, with its name and why */
        ConfigResult again() throws IOException;
    }

    public AgentConfig config() {
        return usable.config();
    }
}
