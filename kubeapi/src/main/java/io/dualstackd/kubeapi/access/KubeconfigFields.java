package io.dualstackd.kubeapi.access;

import io.dualstackd.kubeapi.tree.Field;
import io.dualstackd.kubeapi.tree.Tree;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;

/** Reads values of a kubeconfig; secret ones are never part of a message. */
final class KubeconfigFields {
    private KubeconfigFields() {}

    /** Returns a text that is present and not empty. */
    static Optional<String> text(Field owner, String name) {
        return owner.text(name).filter(text -> !text.isEmpty());
    }

    static Optional<String> secret(Field owner, String name) {
        Optional<Field> field = owner.field(name);
        if (field.isPresent() && !field.get().tree().is(Tree.Type.TEXT)) {
            field.get()
                    .problemCollector()
                    .refuse(field.get().tree().line(), field.get().path(), "", "must be a text; write it in quotes");
            return Optional.empty();
        }
        return field.map(Field::raw).filter(text -> !text.isEmpty());
    }

    /** {@code NAME-data} in base64, or else the file {@code NAME}. */
    static Pem pem(Field owner, String name, KubeconfigFile file) {
        Optional<String> data = secret(owner, name + "-data");
        if (data.isPresent()) {
            return new Pem.Text(decoded(owner, name + "-data", data.get()));
        }
        Optional<String> path = text(owner, name);
        return path.isPresent() ? new Pem.File(file.resolve(path.get())) : new Pem.None();
    }

    private static String decoded(Field owner, String name, String data) {
        String rule;
        try {
            String pem = new String(Base64.getMimeDecoder().decode(data), StandardCharsets.UTF_8);
            if (pem.contains("-----BEGIN ")) {
                return pem;
            }
            rule = "must be PEM in base64: decoded there is no -----BEGIN";
        } catch (IllegalArgumentException e) {
            rule = "must be base64 (RFC 4648)";
        }
        String why = rule;
        owner.field(name).ifPresent(f -> f.problemCollector().refuse(f.tree().line(), f.path(), "", why));
        return "";
    }
}
