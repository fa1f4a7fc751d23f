package io.dualstackd.dataplane.io.checkpoint;

import io.dualstackd.dataplane.diff.elements.AppliedTable;
import io.dualstackd.dataplane.diff.elements.Checkpoint;
import io.dualstackd.dataplane.diff.elements.RuleSetId;
import io.dualstackd.dataplane.rules.nftables.TableForm;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.sys.BootId;
import io.dualstackd.netlink.sys.NetNs;
import io.dualstackd.netlink.sys.PrivateFile;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * The file with the {@link Checkpoint} of one family in the state directory, for instance {@code nftables-ipv4.checkpoint}. It is written
 * when a process shuts down cleanly, and deleted by the next one, which reads it.
 *
 * <p>It only saves time, so an error is reported and otherwise ignored. It is moved into its place but not forced to disk: after a crash of
 * the machine it is not used. On Linux before 5.14 there is none, because network namespaces have no cookie.
 */
public final class CheckpointFile {
    private final Path file;
    private final NetNs ns;
    private final Consumer<String> problems;

    private CheckpointFile(Path file, NetNs ns, Consumer<String> problems) {
        this.file = file;
        this.ns = ns;
        this.problems = problems;
    }

    /**
     * The file of a family.
     *
     * @param ns the namespace of the rule set; still owned by the caller
     * @param problems receives why the file cannot be used or written
     */
    public static CheckpointFile in(Path state, IpFamily family, NetNs ns, Consumer<String> problems) {
        return new CheckpointFile(path(state, family), ns, problems);
    }

    private static Path path(Path state, IpFamily family) {
        return state.resolve("nftables-" + family.toString().toLowerCase(Locale.ROOT) + ".checkpoint");
    }

    /** Removes the file of a family whose table is gone. */
    public static void remove(Path state, IpFamily family) throws IOException {
        boolean ignored = Files.deleteIfExists(path(state, family));
    }

    /** Reads and removes the file; empty when there is none, or it is of another kernel, namespace, version, or form of the table. */
    public Optional<Checkpoint> take(TableForm form) {
        try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
            Files.delete(file);
            Checkpoint checkpoint = Checkpoint.read(in, form);
            int generation = checkpoint.ruleSet().generation();
            return id(generation).map(checkpoint.ruleSet()::equals).orElse(false)
                    ? Optional.of(checkpoint)
                    : Optional.empty();
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException | IllegalArgumentException e) {
            problems.accept("the checkpoint " + file + " is not used: " + reason(e));
            return Optional.empty();
        }
    }

    /** Writes the file, if there can be one. */
    public void write(TableForm form, int generation, AppliedTable applied) {
        try {
            Optional<RuleSetId> id = id(generation);
            if (id.isEmpty()) {
                return;
            }
            PrivateFile.replace(file, out -> {
                try (OutputStream buffered = new BufferedOutputStream(out)) {
                    Checkpoint.write(buffered, form, id.get(), applied);
                }
            });
        } catch (IOException e) {
            problems.accept("the checkpoint " + file + " cannot be written: " + reason(e));
        }
    }

    private static String reason(Exception e) {
        return e instanceof IllegalArgumentException ? String.valueOf(e.getMessage()) : e.toString();
    }

    private Optional<RuleSetId> id(int generation) throws IOException {
        OptionalLong cookie = ns.cookie();
        return cookie.isEmpty()
                ? Optional.empty()
                : Optional.of(new RuleSetId(BootId.current(), cookie.getAsLong(), generation));
    }
}
