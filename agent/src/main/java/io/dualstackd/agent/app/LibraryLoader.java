package io.dualstackd.agent.app;

import io.dualstackd.agent.config.SourceSettings;
import io.dualstackd.kubeapi.client.io.ClusterSource;

/**
 * Loads the libraries that the object source needs while the start goes on with the kernel: Netty and BoringSSL take as long as all that comes
 * before they are used.
 */
public final class LibraryLoader {
    private final Thread thread;

    private LibraryLoader(Runnable load) {
        thread = Thread.ofPlatform().daemon().name("libraries").start(load);
    }

    /** Begins to load, on a thread of its own. */
    public static LibraryLoader start(SourceSettings source) {
        return new LibraryLoader(
                switch (source) {
                    case SourceSettings.Cluster ignored -> ClusterSource::load;
                    case SourceSettings.Folder ignored -> () -> {};
                });
    }

    /** Waits for the end. To be called before anything else uses these libraries: two threads that initialise their classes could wait for each other. */
    public void await() {
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
