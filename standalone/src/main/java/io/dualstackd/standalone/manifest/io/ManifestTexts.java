package io.dualstackd.standalone.manifest.io;

import io.dualstackd.kubeapi.objects.Dialect;
import io.dualstackd.kubeapi.objects.LocatedObject;
import io.dualstackd.kubeapi.objects.ObjectKey;
import io.dualstackd.kubeapi.tree.Tree;
import io.dualstackd.standalone.edit.FileEdit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** The texts of objects in force, read again from the files of a folder; used for one request, so that each file is read once. */
final class ManifestTexts implements Function<ObjectKey, Optional<Tree.Mapping>> {
    private final Path folder;
    private final Dialect dialect;
    private final Function<ObjectKey, Optional<LocatedObject>> claims;
    private final Map<String, Optional<FileEdit>> read = new HashMap<>();

    /** @param claims the objects in force, and their files */
    ManifestTexts(Path folder, Dialect dialect, Function<ObjectKey, Optional<LocatedObject>> claims) {
        this.folder = folder;
        this.dialect = dialect;
        this.claims = claims;
    }

    /** The whole object as it is written; empty when no file contains it as it is in force. */
    @Override
    public Optional<Tree.Mapping> apply(ObjectKey key) {
        return claims.apply(key)
                .flatMap(claim -> read.computeIfAbsent(claim.place().file(), this::read)
                        .flatMap(file -> file.whole(claim.object())));
    }

    private Optional<FileEdit> read(String file) {
        try {
            return Optional.of(new FileEdit(file, Files.readString(folder.resolve(file)), dialect));
        } catch (IOException e) {
            // The file was removed, or cannot be read any more; either way it has no objects.
            return Optional.empty();
        }
    }
}
