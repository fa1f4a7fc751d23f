package io.dualstackd.standalone.manifest.io;

import io.dualstackd.kubeapi.tree.Problem;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The current problems of manifests: logged when they appear and when they are gone. Updated by one thread at a time, readable from any. */
final class ProblemLog {
    private static final Logger LOG = LoggerFactory.getLogger("manifests");

    private volatile List<Problem> problems = List.of();

    List<Problem> now() {
        return problems;
    }

    void update(List<Problem> now) {
        Set<Problem> before = Set.copyOf(problems);
        Set<Problem> after = new HashSet<>(now);
        for (Problem problem : now) {
            if (before.contains(problem)) {
                continue;
            }
            if (problem.isError()) {
                LOG.error("manifest refused: {} next=\"an earlier good version, if any, stays in force\"", problem);
            } else {
                LOG.warn("manifest: {}", problem);
            }
        }
        problems.stream().filter(p -> !after.contains(p)).forEach(p -> LOG.info("manifest repaired: {}", p));
        problems = List.copyOf(now);
    }
}
