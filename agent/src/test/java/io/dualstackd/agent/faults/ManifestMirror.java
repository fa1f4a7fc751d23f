package io.dualstackd.agent.faults;

import io.dualstackd.kubeapi.objects.ApiObject;
import io.dualstackd.kubeapi.wire.JsonWriting;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Locale;

/** A manifest folder with the objects that are given to it, a file each, replaced in one step. */
record ManifestMirror(Path folder) {
    void put(ApiObject object) {
        String name = (object.key().kind() + "-" + object.key().name()).toLowerCase(Locale.ROOT);
        String text = "{\"kind\":\"" + object.key().kind() + "\",\"apiVersion\":\""
                + object.key().kind().apiVersion() + "\","
                + JsonWriting.object(object, "1").substring(1);
        try {
            Path fresh = Files.writeString(folder.resolve("." + name), text);
            Files.move(fresh, folder.resolve(name + ".json"), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
