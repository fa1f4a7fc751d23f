package io.dualstackd.agent.host.io;

import io.dualstackd.netlink.sys.BootId;
import io.dualstackd.netlink.sys.NetNs;
import io.dualstackd.netlink.sys.Sysctl;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The kernel settings that were changed in one network namespace since the last boot, with their former values: a text file in the state
 * directory. Entries from before a reboot, or from another namespace, say nothing about the current settings and are dropped.
 */
public final class FormerSettings {
    private static final String FILE = "kernel-settings";
    private static final String TITLE =
            "# Kernel settings that dualstackd changed: key, value before, value written, what changes with it.";

    private final Path file;
    private final NetNs ns;
    private final Origin origin;

    /**
     * The namespace and boot that the entries of a file belong to, as its second line.
     *
     * @param line the one to write: with the cookie of the namespace, where the kernel has it, as the number of an inode is given to
     *     another namespace
     * @param former the one that releases before it wrote, which is still accepted
     */
    private record Origin(String line, String former) {
        static Origin of(NetNs ns) throws IOException {
            String former = "since " + BootId.current() + " " + ns.id();
            OptionalLong cookie = ns.cookie();
            return new Origin(cookie.isPresent() ? former + " cookie " + cookie.getAsLong() : former, former);
        }

        boolean isOf(String found) {
            return found.equals(line) || found.equals(former);
        }
    }

    /**
     * A changed setting.
     *
     * @param before its value before the first change
     * @param written the value last written
     * @param others settings that the kernel changes with it, and their values before, as far as they are to be restored
     */
    private record Change(String before, String written, Map<String, String> others) {
        /** A line of the file, of words that have no blanks: so have names of interfaces. */
        static void parse(String line, Map<String, Change> to) {
            String[] words = line.split(" ", -1);
            if (words.length < 3) {
                return;
            }
            Map<String, String> others = new LinkedHashMap<>();
            for (int i = 3; i < words.length; i++) {
                int equals = words[i].lastIndexOf('=');
                if (equals < 0) {
                    return;
                }
                others.put(words[i].substring(0, equals), words[i].substring(equals + 1));
            }
            to.put(words[0], new Change(words[1], words[2], others));
        }

        String line(String key) {
            StringBuilder line = new StringBuilder(key + " " + before + " " + written);
            others.forEach(
                    (other, value) -> line.append(' ').append(other).append('=').append(value));
            return line.toString();
        }
    }

    /** The result of restoring one setting. */
    sealed interface Outcome {
        String key();

        /** Its former value was restored. */
        record Restored(String key, String value, String was) implements Outcome {}

        /** It no longer has the value that was written, so another program changed it, and it stays. */
        record Foreign(String key, String value) implements Outcome {}

        /** It does not exist any more, as that of a link or a module that was removed; when it is there again, it has its default. */
        record Gone(String key) implements Outcome {}

        /** It cannot be written. */
        record Failed(String key, String why) implements Outcome {}
    }

    private FormerSettings(Path file, NetNs ns, Origin origin) {
        this.file = file;
        this.ns = ns;
        this.origin = origin;
    }

    /** @throws IOException when the boot time of the kernel cannot be read */
    public static FormerSettings in(Path state, NetNs ns) throws IOException {
        return new FormerSettings(state.resolve(FILE), ns, Origin.of(ns));
    }

    /** Records a change that is about to be made, and what the kernel changes with it. */
    synchronized void remember(String key, String before, String written) throws IOException {
        Map<String, Change> changes = read();
        // Another program may have changed it since; then that is the former value.
        Optional<Change> ours = Optional.ofNullable(changes.get(key))
                .filter(last -> last.written().equals(before));
        String first = ours.map(Change::before).orElse(before);
        changes.remove(key);
        if (!first.equals(written)) {
            changes.put(
                    key,
                    new Change(
                            first,
                            written,
                            ours.isPresent() ? ours.get().others() : ForwardingEffects.before(ns, key)));
        }
        write(changes);
    }

    /** Where changes are recorded, for messages. */
    Path file() {
        return file;
    }

    /** Whether a change of this network namespace since the last boot is recorded. */
    synchronized boolean isRecorded() throws IOException {
        return !read().isEmpty();
    }

    /**
     * Restores the former value of every setting that still has the value written, last change first; what cannot be written stays
     * recorded, also what the kernel had changed with another one.
     */
    synchronized List<Outcome> restore() throws IOException {
        Map<String, Change> left = new LinkedHashMap<>();
        List<Outcome> outcomes = new ArrayList<>();
        for (Map.Entry<String, Change> entry :
                new LinkedHashMap<>(read()).reversed().entrySet()) {
            Outcome outcome = restore(entry.getKey(), entry.getValue(), outcomes, left);
            outcomes.add(outcome);
            if (outcome instanceof Outcome.Failed) {
                left.put(entry.getKey(), entry.getValue());
            }
        }
        if (!outcomes.isEmpty()) {
            write(left);
        }
        return List.copyOf(outcomes);
    }

    private Outcome restore(String key, Change change, List<Outcome> failed, Map<String, Change> left) {
        try {
            String now = Sysctl.read(ns, key);
            if (!now.equals(change.written())) {
                return new Outcome.Foreign(key, now);
            }
            Map<String, String> others = ForwardingEffects.after(ns, key, change.others());
            Sysctl.write(ns, key, change.before());
            others.forEach((other, value) -> keep(other, value, failed, left));
            return new Outcome.Restored(key, change.before(), now);
        } catch (NoSuchFileException e) {
            return new Outcome.Gone(key);
        } catch (IOException | IllegalArgumentException e) {
            return new Outcome.Failed(
                    key,
                    e instanceof IOException refused
                            ? ConntrackSettings.reason(refused)
                            : String.valueOf(e.getMessage()));
        }
    }

    /** Writes the value that a setting had before the kernel changed it with another one; if that fails, it is a change of its own. */
    private void keep(String key, String value, List<Outcome> failed, Map<String, Change> left) {
        String now = value;
        try {
            now = Sysctl.read(ns, key);
            if (!now.equals(value)) {
                Sysctl.write(ns, key, value);
            }
        } catch (NoSuchFileException e) {
            // The interface was removed meanwhile.
        } catch (IOException e) {
            failed.add(new Outcome.Failed(key, ConntrackSettings.reason(e)));
            if (!now.equals(value)) {
                left.put(key, new Change(value, now, Map.of()));
            }
        }
    }

    private Map<String, Change> read() throws IOException {
        Map<String, Change> changes = new LinkedHashMap<>();
        try {
            List<String> lines = Files.readAllLines(file, StandardCharsets.UTF_8);
            if (lines.size() > 1 && origin.isOf(lines.get(1))) {
                lines.stream().skip(2).forEach(line -> Change.parse(line, changes));
            }
        } catch (NoSuchFileException e) {
            // Nothing was changed yet.
        }
        return changes;
    }

    private void write(Map<String, Change> changes) throws IOException {
        if (changes.isEmpty()) {
            Files.deleteIfExists(file);
            return;
        }
        List<String> lines = new ArrayList<>(List.of(TITLE, origin.line()));
        changes.forEach((key, change) -> lines.add(change.line(key)));
        Files.createDirectories(file.toAbsolutePath().getParent());
        Path temporary = Files.write(file.resolveSibling("." + FILE + ".new"), lines, StandardCharsets.UTF_8);
        Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
    }
}
