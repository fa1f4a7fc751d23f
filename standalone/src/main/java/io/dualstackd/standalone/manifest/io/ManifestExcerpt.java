package io.dualstackd.standalone.manifest.io;

import io.dualstackd.kubeapi.objects.Decoded;
import io.dualstackd.kubeapi.objects.Dialect;
import io.dualstackd.kubeapi.objects.LocatedObject;
import io.dualstackd.kubeapi.objects.Manifests;
import io.dualstackd.kubeapi.objects.ObjectKey;
import io.dualstackd.kubeapi.print.YamlPrint;
import io.dualstackd.kubeapi.tree.Tree;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Writes a manifest that has some objects of others, each as a document of its own. Holds one document of them in memory. */
final class ManifestExcerpt implements AutoCloseable {
    private final OutputStream out;
    private final Dialect dialect;

    /** Creates the file, or replaces its content. */
    ManifestExcerpt(Path file, Dialect dialect) throws IOException {
        this.out = new BufferedOutputStream(Files.newOutputStream(file));
        this.dialect = dialect;
    }

    /**
     * Adds the valid objects of a manifest that have these keys.
     *
     * @return all that is in the manifest
     */
    Decoded add(Path manifest, Set<ObjectKey> keys) throws IOException {
        Documents documents = new Documents(keys);
        Decoded decoded = new ManifestFile(manifest, dialect).decode(documents);
        documents.end();
        return decoded;
    }

    @Override
    public void close() throws IOException {
        out.close();
    }

    /** Collects the text of one document of the manifest, as it may be discarded as long as it is read. */
    private final class Documents implements Manifests.Written {
        private final Set<ObjectKey> keys;
        private final StringBuilder text = new StringBuilder();
        private int open;
        /** Kept, as the decoder takes each exception for an error of its own. */
        private @Nullable IOException failure;

        Documents(Set<ObjectKey> keys) {
            this.keys = keys;
        }

        @Override
        public void object(LocatedObject locatedObject, Tree tree) {
            if (locatedObject.place().document() != open) {
                flush();
                open = locatedObject.place().document();
            }
            if (keys.contains(locatedObject.object().key())) {
                // As it is written: other forms of the same value would count as another text.
                text.append("---\n").append(YamlPrint.of(tree));
            }
        }

        @Override
        public void discarded(int document) {
            if (document == open) {
                text.setLength(0);
            }
        }

        private void flush() {
            try {
                out.write(text.toString().getBytes(StandardCharsets.UTF_8));
            } catch (IOException e) {
                failure = e;
            }
            text.setLength(0);
        }

        void end() throws IOException {
            flush();
            if (failure != null) {
                throw failure;
            }
        }
    }
}
