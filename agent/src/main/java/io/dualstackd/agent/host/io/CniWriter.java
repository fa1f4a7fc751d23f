package io.dualstackd.agent.host.io;

import io.dualstackd.pods.PodCidrs;
import io.dualstackd.supervision.Backoff;
import io.dualstackd.supervision.Component;
import io.dualstackd.supervision.Heartbeat;
import io.dualstackd.supervision.io.BoundedWait;
import io.dualstackd.supervision.io.Supervisor;
import io.dualstackd.supervision.io.Worker;
import io.dualstackd.supervision.sys.Platform;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the CNI configuration in place while the daemon runs: a file that cannot be written, on a full or read-only file system for example,
 * is tried again with a growing pause, and one that was removed is written again. A file that was changed is left alone until the next
 * start, and one that the daemon did not write always.
 */
public final class CniWriter implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger("pods");

    private static final Backoff BACKOFF = new Backoff(Duration.ofSeconds(1), Duration.ofMinutes(1));

    /** How often it is checked that the file is still there. */
    static final Duration EVERY = Duration.ofSeconds(10);

    private final CniFile file;
    private final Path path;
    private final PodCidrs cidrs;
    private final Optional<CniRecord> record;
    private final Platform platform;
    private final Platform.Latch closed;
    private final Worker worker;
    private int failures;
    private volatile Optional<String> failure = Optional.empty();

    private CniWriter(Path path, PodCidrs cidrs, Optional<CniRecord> record, Supervisor supervisor) {
        this.file = new CniFile(path);
        this.path = path;
        this.cidrs = cidrs;
        this.record = record;
        this.platform = supervisor.platform();
        this.closed = platform.latch();
        this.worker = supervisor.worker(Component.CNI, this::live);
    }

    /**
     * Writes the file, at once if that is possible.
     *
     * @param record where the path is kept for {@code cleanup}, before anything is written there
     */
    public static CniWriter start(Path path, PodCidrs cidrs, Optional<CniRecord> record, Supervisor supervisor) {
        CniWriter writer = new CniWriter(path, cidrs, record, supervisor);
        writer.attempt();
        var _ = writer.worker.start();
        return writer;
    }

    private void live(Heartbeat heartbeat) throws InterruptedException {
        Duration pause = pause();
        while (!BoundedWait.inParts(platform, heartbeat, pause, closed::await)) {
            if (failures > 0 || file.isGone()) {
                attempt();
            }
            pause = pause();
        }
    }

    private Duration pause() {
        return failures == 0 ? EVERY : BACKOFF.after(failures);
    }

    private void attempt() {
        try {
            if (record.isPresent()) {
                record.get().remember(path);
            }
            file.write(cidrs);
            failures = 0;
            failure = Optional.empty();
        } catch (IOException e) {
            failures++;
            Optional<String> now = Optional.of(String.valueOf(e.getMessage()));
            if (!now.equals(failure)) {
                failure = now;
                LOG.error("CNI configuration not written reason=\"{}\" next=retry", e.getMessage());
            }
        }
    }

    /** Why the file is not there as it should be; empty when it is, and when it was changed. */
    public Optional<String> error() {
        return failure.map(why -> why + "; new pods may have no network until it is written, which is tried again "
                        + "every minute or sooner")
                .or(() -> file.isGone()
                        ? Optional.of("--write-cni: " + path + " is gone, so new pods may have no network;"
                                + " it is written again within " + EVERY.toSeconds() + " s")
                        : Optional.empty());
    }

    /** What happened to the file after it was written; empty while it is unchanged. */
    public Optional<String> note() {
        return failure.isPresent() ? Optional.empty() : file.note(cidrs);
    }

    /** Ends the checks; the file stays. */
    @Override
    public void close() {
        worker.stop();
        closed.open();
        worker.join();
    }
}
