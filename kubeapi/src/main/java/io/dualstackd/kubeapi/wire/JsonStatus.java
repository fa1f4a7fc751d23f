package io.dualstackd.kubeapi.wire;

import io.dualstackd.kubeapi.tree.Field;
import io.dualstackd.kubeapi.tree.ProblemCollector;
import io.dualstackd.kubeapi.tree.Tree;
import io.dualstackd.kubeapi.wire.raw.Texts;
import java.util.Optional;
import java.util.OptionalInt;

/** Decodes {@code v1/Status} in JSON. */
final class JsonStatus {
    private JsonStatus() {}

    /** Reads a whole response; empty when it is not a status. */
    static Optional<ApiStatus> whole(byte[] body) {
        return JsonTree.read(body)
                .map(tree -> new Field(tree, "", new ProblemCollector("", 0)))
                .filter(status -> status.tree() instanceof Tree.Mapping
                        && status.textOrEmpty("kind").equals("Status"))
                .map(JsonStatus::read);
    }

    static ApiStatus read(Field status) {
        int retry = status.object("details")
                .map(details -> Texts.number(details, "retryAfterSeconds"))
                .orElse(0);
        return new ApiStatus(
                Texts.number(status, "code"),
                status.textOrEmpty("reason"),
                status.textOrEmpty("message"),
                retry > 0 ? OptionalInt.of(retry) : OptionalInt.empty());
    }
}
