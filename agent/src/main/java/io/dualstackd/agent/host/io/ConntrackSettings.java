package io.dualstackd.agent.host.io;

import io.dualstackd.agent.config.Conntrack;
import io.dualstackd.agent.config.Key;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Applies the configured settings to the kernel's connection tracking. A setting that already has its value is not written. */
final class ConntrackSettings {
    private static final Logger LOG = LoggerFactory.getLogger("dualstackd");
    private static final Path HASH_SIZE = Path.of("/sys/module/nf_conntrack/parameters/hashsize");

    /** Connections per bucket of the hash, as in the kernel's own default. */
    private static final long PER_BUCKET = 4;

    /**
     * The result.
     *
     * @param complete false when the kernel has no connection tracking yet: worth another call after the first rules, which load it
     * @param unmet settings that were configured explicitly, but cannot be written from here, and what to do about it
     * @param notes defaults that could not be set, and what to do about it
     */
    record Outcome(boolean complete, List<String> unmet, List<String> notes) {}

    private final KernelSettings kernel;
    private final Predicate<Key> explicit;
    private final List<String> unmet = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();

    private ConntrackSettings(KernelSettings kernel, Predicate<Key> explicit) {
        this.kernel = kernel;
        this.explicit = explicit;
    }

    /**
     * Applies them in a namespace. Where {@code /proc/sys} is read-only, as in a container that is not privileged, the result says which
     * settings are not as they should be. A value that the kernel refuses fails the call if it was configured explicitly.
     *
     * @param explicit which of the keys were given explicitly
     * @throws IOException why one cannot be set, and what to do about it
     */
    static Outcome apply(KernelSettings kernel, Conntrack wanted, int cores, Predicate<Key> explicit)
            throws IOException {
        ConntrackSettings settings = new ConntrackSettings(kernel, explicit);
        try {
            Optional<Long> max = wanted.max(cores);
            if (max.isPresent()) {
                settings.limit(max.get());
            }
            for (Map.Entry<String, String> setting : wanted.settings().entrySet()) {
                settings.setOrNote(setting.getKey(), setting.getValue());
            }
            return settings.outcome(true);
        } catch (NoSuchFileException e) {
            LOG.info("setting does not exist yet key={} next=again-after-the-first-sync", e.getFile());
            return settings.outcome(false);
        }
    }

    private Outcome outcome(boolean complete) {
        return new Outcome(complete, List.copyOf(unmet), List.copyOf(notes));
    }

    private void setOrNote(String key, String value) throws IOException {
        try {
            set(key, value);
        } catch (NoSuchFileException e) {
            throw e;
        } catch (IOException e) {
            note(e, explicit.test(Conntrack.keyOf(key)));
        }
    }

    private void note(IOException e, boolean wanted) throws IOException {
        if (e.getCause() instanceof FileSystemException cause && (!wanted || isReadOnly(cause))) {
            (wanted ? unmet : notes).add(String.valueOf(e.getMessage()));
            return;
        }
        throw e;
    }

    private void set(String key, String value) throws IOException {
        if (kernel.read(key).equals(value)) {
            return;
        }
        try {
            kernel.set(key, value, Conntrack.keyOf(key).path());
        } catch (NoSuchFileException e) {
            throw e;
        } catch (IOException e) {
            throw new IOException(refusal(key, value, e), e);
        }
    }

    static String refusal(String key, String value, IOException e) {
        Key setting = Conntrack.keyOf(key);
        String leave = setting.isSwitch() ? "false" : "0";
        return "cannot set " + key.replace('/', '.') + " to " + value + ": " + reason(e) + "; set it on the host, or "
                + setting.path() + " (" + setting.flag() + ") to " + leave + " to leave it as it is";
    }

    /** Why a setting cannot be written, in a few words. */
    static String reason(IOException e) {
        String words = e instanceof FileSystemException failed && failed.getReason() != null
                ? failed.getReason()
                : Objects.toString(e.getMessage(), "refused");
        return isReadOnly(e)
                ? "/proc/sys is mounted read-only, as in containers that are not privileged"
                : e instanceof AccessDeniedException ? "permission denied" : words;
    }

    private static boolean isReadOnly(IOException e) {
        return e instanceof FileSystemException failed
                && Objects.requireNonNullElse(failed.getReason(), "").contains("Read-only file system");
    }

    /**
     * Applies the limit, which belongs to the host, not to a namespace: where it cannot be written another program or the host controls it,
     * and that is no reason to leave this node without Services.
     */
    private void limit(long max) throws IOException {
        try {
            set(Conntrack.MAX, Long.toString(max));
        } catch (NoSuchFileException e) {
            throw e;
        } catch (IOException e) {
            boolean denied = e.getCause() instanceof AccessDeniedException;
            boolean wanted = explicit.test(Key.CONNTRACK_MAX_PER_CORE) || explicit.test(Key.CONNTRACK_MIN);
            note(e, wanted && !denied);
            return;
        }
        buckets(max / PER_BUCKET);
    }

    private void buckets(long wanted) {
        try {
            kernel.ns().call(() -> {
                long before = Long.parseLong(Files.readString(HASH_SIZE).strip());
                if (before < wanted) {
                    Files.writeString(HASH_SIZE, Long.toString(wanted));
                    LOG.info("setting changed key={} value={} was={}", HASH_SIZE, wanted, before);
                }
                return wanted;
            });
        } catch (Exception e) {
            // Long chains only make lookups slower; kube-proxy goes on, too.
            notes.add(HASH_SIZE + " is less than " + wanted + " and cannot be set ("
                    + (e instanceof IOException failed ? reason(failed) : e.toString())
                    + "): looking up a connection takes longer when there are many; set it on the host");
        }
    }
}
