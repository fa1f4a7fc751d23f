package io.dualstackd.agent.faults;

import io.dualstackd.kubeapi.objects.ApiObject;
import io.dualstackd.kubeapi.objects.ObjectKey;
import io.dualstackd.kubeapi.wire.JsonWriting;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Locale;
import java.util.Set;

/**
 * A manifest folder with the objects that are given to it, a file each, replaced in one step.
 *
 * @param without what is not written there: a ledger makes its own
 */
record ManifestMirror(Path folder, Set<ObjectKey.Kind> without) {
    ManifestMirror {
        without = Set.copyOf(without);
    }

    void put(ApiObject object) {
        if (without.contains(object.key().kind())) {
            return;
        }
        String text = "{\"kind\":\"" + object.key().kind() + "\",\"apiVersion\":\""
                + object.key().kind().apiVersion() + "\","
                + JsonWriting.object(object, "1").substring(1);
        try {
            Path fresh = Files.writeString(folder.resolve(".fresh"), text);
            Files.move(fresh, file(object.key()), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void delete(ObjectKey key) {
        try {
            Files.deleteIfExists(file(key));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Path file(ObjectKey key) {
        return folder.resolve((key.kind() + "-" + key.name()).toLowerCase(Locale.ROOT) + ".json");
    }
}
