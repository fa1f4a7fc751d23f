package io.dualstackd.agent.app;

import io.dualstackd.agent.config.SourceSettings;
import io.dualstackd.kubeapi.client.io.ClusterSource;
import java.io.IOException;
import java.time.Duration;

/**
 * Loads the libraries that the object source needs while the start goes on with the kernel: Netty and BoringSSL take as long as all that comes
 * before they are used. What the thread throws ends the process, as it would a moment later.
 */
public final class LibraryLoader {
    private static final Duration LIMIT = Duration.ofMinutes(1);

    private final Thread thread;
    private final Duration limit;

    /** @param limit how long to wait for the end */
    LibraryLoader(Runnable load, Duration limit) {
        this.limit = limit;
        thread = Thread.ofPlatform().daemon().name("libraries").start(load);
    }

    /** Begins to load, on a thread of its own. */
    public static LibraryLoader start(SourceSettings source) {
        Runnable load = switch (source) {
            case SourceSettings.Cluster ignored -> ClusterSource::loadLibraries;
            case SourceSettings.Folder ignored -> () -> {};
        };
        return new LibraryLoader(load, LIMIT);
    }

    /**
     * Waits for the end. To be called before anything else uses these libraries: two threads that initialise their classes could wait for each
     * other.
     *
     * @throws IOException when it does not end in time, as on a file system that does not answer
     */
    public void await() throws IOException {
        try {
            if (!thread.join(limit)) {
                throw new IOException("the libraries of connections to the API server are not loaded after "
                        + limit.toSeconds() + " s");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while libraries were being loaded", e);
        }
    }
}
