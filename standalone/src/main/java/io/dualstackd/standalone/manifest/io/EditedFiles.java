package io.dualstackd.standalone.manifest.io;

import io.dualstackd.kubeapi.objects.Dialect;
import io.dualstackd.standalone.edit.FileEdit;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The files that one request changes, each read once and written once. */
final class EditedFiles {
    /** The maximum size of a file that is edited; larger ones are left to editors. */
    private static final long MAX_BYTES = 16 * 1024 * 1024;

    private static final Set<PosixFilePermission> WRITE =
            Set.of(PosixFilePermission.OWNER_WRITE, PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_WRITE);

    private final Path folder;
    private final Dialect dialect;
    private final Map<String, FileEdit> edits = new LinkedHashMap<>();
    private final Map<String, Boolean> existed = new HashMap<>();
    /** The files that links lead to. */
    private final Map<String, Path> targets = new HashMap<>();

    private boolean missing;

    EditedFiles(Path folder, Dialect dialect) {
        this.folder = folder;
        this.dialect = dialect;
    }

    /**
     * A file with its text.
     *
     * @param held whether it must be there, because it has an object
     */
    FileEdit edit(String file, boolean held) throws IOException {
        FileEdit known = edits.get(file);
        if (known != null) {
            return known;
        }
        Path path = folder.resolve(file);
        String text = "";
        boolean there = Files.exists(path, LinkOption.NOFOLLOW_LINKS);
        if (there) {
            if (Files.isSymbolicLink(path)) {
                targets.put(file, target(path));
            }
            long bytes = Files.size(path);
            if (bytes > MAX_BYTES) {
                throw new IOException(
                        "it has " + bytes + " bytes, more than " + MAX_BYTES + " (16 MiB); change it with an editor");
            }
            text = Files.readString(path);
        }
        // The watch will notice whether it is removed for good.
        missing |= !there && held;
        FileEdit edit = new FileEdit(file, text, dialect);
        edits.put(file, edit);
        existed.put(file, there);
        return edit;
    }

    /** The file that a link leads to, if it may be replaced. */
    private Path target(Path link) throws IOException {
        if (!Files.exists(link)) {
            throw new IOException("it is a dangling symbolic link");
        }
        Path target = link.toRealPath();
        if (target.toString().contains("/..")) {
            throw new IOException("it is part of a volume that Kubernetes maintains; change the ConfigMap or Secret");
        }
        Path folder = target.getParent();
        if (folder == null || isReadOnly(folder)) {
            throw new IOException(
                    "it is a link to " + target + ", and the daemon may not write to the folder of that file");
        }
        return target;
    }

    /** The files that were read, with their changes. */
    Map<String, FileEdit> all() {
        return edits;
    }

    /** Whether a file that has one of the objects is missing at this moment, as while an editor saves it. */
    boolean isFileMissing() {
        return missing;
    }

    /** Whether the daemon cannot write or replace the file, or its permissions allow no one to: root is not bound by them. */
    boolean isReadOnly(String file) throws IOException {
        Path path = folder.resolve(file);
        return Files.exists(path) && (isReadOnly(path) || !Files.isWritable(folder));
    }

    private static boolean isReadOnly(Path path) throws IOException {
        return !Files.isWritable(path) || Collections.disjoint(Files.getPosixFilePermissions(path), WRITE);
    }

    /** Files of which so much would be in them that no command could change them again. */
    List<String> tooLarge() {
        return edits.entrySet().stream()
                .filter(entry -> entry.getValue().isChange())
                .filter(entry -> entry.getValue()
                        .after()
                        .filter(text -> text.getBytes(StandardCharsets.UTF_8).length > MAX_BYTES)
                        .isPresent())
                .map(entry -> folder.resolve(entry.getKey()) + " would have more than " + MAX_BYTES
                        + " bytes (16 MiB); put some of its objects into another file")
                .toList();
    }

    /** Thrown when a file could not be written, and those before it could not all be restored. */
    static final class WrittenInPart extends IOException {
        private static final long serialVersionUID = 1L;

        WrittenInPart(List<Path> written, IOException why) {
            super(
                    written.stream().map(Path::toString).collect(Collectors.joining(", ")) + " written, the rest not: "
                            + why.getMessage(),
                    why);
        }
    }

    /** A file that has been written, or a link that has been removed. */
    private sealed interface Written {
        Path path();

        record Text(Path path, Optional<String> before, Optional<String> after) implements Written {}

        record Unlinked(Path path, Path target) implements Written {}
    }

    /**
     * Writes all texts, or none: when one cannot be written, those before it are restored. A link stays one, and the file it leads to is
     * replaced; when nothing is left in that file, the link is removed and the file stays.
     *
     * @return false when another program has changed a file since; then nothing has changed
     * @throws WrittenInPart when something cannot be written and something else cannot be restored
     */
    boolean write() throws IOException {
        Deque<Written> written = new ArrayDeque<>();
        try {
            for (Map.Entry<String, FileEdit> entry : edits.entrySet()) {
                if (entry.getValue().isChange() && !write(entry.getKey(), entry.getValue(), written)) {
                    restore(written, new IOException("another program has changed " + entry.getKey() + " meanwhile"));
                    return false;
                }
            }
            return true;
        } catch (IOException e) {
            restore(written, e);
            throw e;
        }
    }

    private boolean write(String file, FileEdit edit, Deque<Written> written) throws IOException {
        Optional<String> before = existed.getOrDefault(file, false) ? Optional.of(edit.before()) : Optional.empty();
        Path path = folder.resolve(file);
        Path target = targets.getOrDefault(file, path);
        if (!target.equals(path) && edit.after().isEmpty()) {
            Path leadsTo = Files.readSymbolicLink(path);
            Files.delete(path);
            written.push(new Written.Unlinked(path, leadsTo));
            return true;
        }
        if (!new SafeWrite(target).change(before, edit.after())) {
            return false;
        }
        written.push(new Written.Text(target, before, edit.after()));
        return true;
    }

    /** Restores what has been written, except where another program has written since. */
    private static void restore(Deque<Written> written, IOException why) throws WrittenInPart {
        List<Path> kept = new ArrayList<>();
        for (Written one : written) {
            try {
                boolean restored = switch (one) {
                    case Written.Text(Path path, Optional<String> before, Optional<String> after) ->
                        new SafeWrite(path).change(/* before= */ after, /* after= */ before);
                    case Written.Unlinked(Path path, Path target) ->
                        Files.createSymbolicLink(path, target).equals(path);
                };
                if (!restored) {
                    kept.add(one.path());
                }
            } catch (IOException e) {
                why.addSuppressed(e);
                kept.add(one.path());
            }
        }
        if (!kept.isEmpty()) {
            throw new WrittenInPart(kept, why);
        }
    }

    /** The names of the files that will be removed. */
    Set<String> removed() {
        Set<String> removed = new LinkedHashSet<>();
        edits.forEach((file, edit) -> {
            if (edit.after().isEmpty()) {
                removed.add(file);
            }
        });
        return removed;
    }

    /** Why a file cannot be changed. */
    String unreadable(String file, IOException e) {
        String why = switch (e) {
            case CharacterCodingException ignored -> "it is not UTF-8";
            case NoSuchFileException ignored -> "it is gone";
            default -> String.valueOf(e.getMessage());
        };
        return folder.resolve(file) + " cannot be changed: " + why;
    }
}
