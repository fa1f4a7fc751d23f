package io.dualstackd.standalone.ledger;

import io.dualstackd.kubeapi.objects.LocatedObject;
import io.dualstackd.kubeapi.objects.ObjectKey;
import io.dualstackd.kubeapi.objects.WrittenService;
import io.dualstackd.kubeapi.tree.Place;
import io.dualstackd.kubeapi.tree.Problem;
import io.dualstackd.kubeapi.tree.Tree;
import io.dualstackd.standalone.serviceapi.Rejection;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Converts refusals to problems of the text they refer to. */
public final class RefusalProblems {
    private static final Pattern STEP = Pattern.compile("([^.\\[\\]]+)|\\[([0-9]+)]");

    private RefusalProblems() {}

    /** @param places the place of an object in its file */
    public static List<Problem> of(
            Map<ObjectKey, EntryRefusal> refused, Function<ObjectKey, Optional<LocatedObject>> places) {
        List<Problem> problems = new ArrayList<>();
        refused.forEach((key, entryRefusal) -> {
            Optional<LocatedObject> placed = places.apply(key);
            for (Rejection rejection : entryRefusal.rejections()) {
                problems.add(new Problem(
                        Problem.Severity.ERROR,
                        placed.map(text -> place(text, rejection.field())).orElseGet(() -> Place.InFile.whole("?")),
                        key.toString(),
                        rejection.value(),
                        rejection.rule()
                                + (entryRefusal.waits()
                                        ? "; it is tried again when numbers become free or a ServiceCIDR is added"
                                        : "")));
            }
        });
        return problems;
    }

    private static Place.InFile place(LocatedObject locatedObject, String field) {
        Place.InFile object = locatedObject.place();
        int line = locatedObject.object() instanceof WrittenService(var ignored, var tree)
                ? line(tree, field)
                : object.line();
        String path =
                object.field().isEmpty() || field.isEmpty() ? object.field() + field : object.field() + "." + field;
        return new Place.InFile(object.file(), object.document(), line, path);
    }

    /** The line of the field, or of the innermost enclosing field that is present. */
    private static int line(Tree.Mapping object, String field) {
        Tree at = object;
        Matcher step = STEP.matcher(field);
        while (step.find()) {
            String name = step.group(1);
            Tree next = switch (at) {
                case Tree.Mapping mapping when name != null -> entry(mapping, name);
                case Tree.Sequence list when name == null -> item(list, step.group(2));
                case Tree.Mapping _, Tree.Sequence _, Tree.Scalar _ -> null;
            };
            if (next == null) {
                break;
            }
            at = next;
        }
        return at.line();
    }

    /**
     * The field, or {@code clusterIP} in place of a missing {@code clusterIPs}: an object with only {@code clusterIP} has it in the list,
     * too.
     */
    private static @Nullable Tree entry(Tree.Mapping mapping, String name) {
        Tree entry = mapping.entries().get(name);
        return entry == null && name.equals("clusterIPs") ? mapping.entries().get("clusterIP") : entry;
    }

    private static @Nullable Tree item(Tree.Sequence list, String index) {
        int number = Integer.parseInt(index);
        return number < list.items().size() ? list.items().get(number) : null;
    }
}
