package io.dualstackd.dataplane.io.checkpoint;

import io.dualstackd.dataplane.diff.elements.AppliedTable;
import io.dualstackd.dataplane.diff.elements.Checkpoint;
import io.dualstackd.dataplane.diff.elements.RuleSetId;
import io.dualstackd.dataplane.rules.nftables.TableForm;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.sys.BootId;
import io.dualstackd.netlink.sys.NetNs;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
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
            Path folder = file.toAbsolutePath().getParent();
            if (folder != null && !Files.isDirectory(folder)) {
                Files.createDirectories(folder, PosixFilePermissions.asFileAttribute(rights("rwx------")));
            }
            Path temporary = file.resolveSibling("." + file.getFileName());
            try {
                write(temporary, form, id.get(), applied);
                Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
            } finally {
                // On a full disk, what could be written of it takes space that others need.
                boolean ignored = Files.deleteIfExists(temporary);
            }
        } catch (IOException e) {
            problems.accept("the checkpoint " + file + " cannot be written: " + reason(e));
        }
    }

    private static void write(Path temporary, TableForm form, RuleSetId id, AppliedTable applied) throws IOException {
        boolean ignored = Files.deleteIfExists(temporary);
        Files.createFile(temporary, PosixFilePermissions.asFileAttribute(rights("rw-------")));
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(temporary))) {
            Checkpoint.write(out, form, id, applied);
        }
    }

    private static String reason(Exception e) {
        return e instanceof IllegalArgumentException ? String.valueOf(e.getMessage()) : e.toString();
    }

    private static Set<PosixFilePermission> rights(String text) {
        return PosixFilePermissions.fromString(text);
    }

    private Optional<RuleSetId> id(int generation) throws IOException {
        OptionalLong cookie = ns.cookie();
        return cookie.isEmpty()
                ? Optional.empty()
                : Optional.of(new RuleSetId(BootId.current(), cookie.getAsLong(), generation));
    }
}
