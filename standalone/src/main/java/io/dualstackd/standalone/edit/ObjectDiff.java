package io.dualstackd.standalone.edit;

import com.github.difflib.DiffUtils;
import com.github.difflib.UnifiedDiffUtils;
import io.dualstackd.kubeapi.print.YamlPrint;
import io.dualstackd.kubeapi.tree.Tree;
import java.util.List;
import java.util.Optional;

/** The difference between an object as it is written and as it is wanted. */
public final class ObjectDiff {
    private static final int CONTEXT = 3;

    private ObjectDiff() {}

    /**
     * A unified diff of both as YAML, without comments; no lines when they are equal.
     *
     * @param present empty when the object is new
     */
    public static List<String> of(Optional<Tree.Mapping> present, EditRequest.Wanted wanted) {
        List<String> before = present.map(ObjectDiff::lines).orElse(List.of());
        List<String> after = lines(wanted.placed());
        String name = wanted.key().toString();
        return UnifiedDiffUtils.generateUnifiedDiff(
                present.isEmpty() ? "/dev/null" : "written/" + name,
                "wanted/" + name,
                before,
                DiffUtils.diff(before, after),
                CONTEXT);
    }

    /** A unified diff of two texts, without names; no lines when they are equal. */
    public static List<String> ofTexts(String before, String after) {
        List<String> old = before.lines().toList();
        List<String> lines = UnifiedDiffUtils.generateUnifiedDiff(
                "before", "after", old, DiffUtils.diff(old, after.lines().toList()), CONTEXT);
        return lines.stream().skip(2).toList();
    }

    private static List<String> lines(Tree.Mapping object) {
        return YamlPrint.of(object).lines().toList();
    }
}
