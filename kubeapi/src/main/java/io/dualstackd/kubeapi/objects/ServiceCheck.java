package io.dualstackd.kubeapi.objects;

import io.dualstackd.kubeapi.tree.Field;
import io.dualstackd.kubeapi.tree.Place;
import io.dualstackd.kubeapi.tree.Problem;
import io.dualstackd.kubeapi.tree.ProblemCollector;
import io.dualstackd.kubeapi.tree.Tree;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;

/** What the decoders of this package say of a {@code v1/Service} that is a tree already, for those who settle it. Only errors. */
public final class ServiceCheck {
    private ServiceCheck() {}

    /** Values that are not of the kind their field wants, in a Service as its author wrote it. */
    public static List<Problem> written(Tree.Mapping object) {
        return problems(object, WrittenServiceDecoder::decode);
    }

    /** Rules that a Service breaks which an API server is said to have stored; it may lack cluster IPs. */
    public static List<Problem> stored(Tree.Mapping object) {
        return problems(object, ServiceDecoder::decode);
    }

    /** The object without fields that no Service has: whoever wrote them was warned, and an API server would not store them. */
    public static Tree.Mapping known(Tree.Mapping object) {
        Map<String, Tree> entries = only(ServiceDecoder.FIELDS, object);
        if (entries.get("spec") instanceof Tree.Mapping written) {
            Map<String, Tree> spec = only(ServiceDecoder.SPEC_FIELDS, written);
            if (spec.get("ports") instanceof Tree.Sequence ports) {
                spec.put(
                        "ports",
                        new Tree.Sequence(
                                ports.items().stream()
                                        .map(ServiceCheck::knownPort)
                                        .toList(),
                                ports.line()));
            }
            entries.put("spec", new Tree.Mapping(spec, written.line()));
        }
        return new Tree.Mapping(entries, object.line());
    }

    private static Tree knownPort(Tree port) {
        return port instanceof Tree.Mapping mapping
                ? new Tree.Mapping(only(ServicePorts.FIELDS, mapping), mapping.line())
                : port;
    }

    private static Map<String, Tree> only(Set<String> fields, Tree.Mapping object) {
        Map<String, Tree> entries = new LinkedHashMap<>(object.entries());
        entries.keySet().retainAll(fields);
        return entries;
    }

    /** The path in the object that a problem of this class is about. */
    public static String field(Problem problem) {
        return problem.place() instanceof Place.InFile place ? place.field() : "";
    }

    private static List<Problem> problems(Tree.Mapping object, BiConsumer<ObjectHeader, Field> decoder) {
        ProblemCollector problemCollector = new ProblemCollector("", 0);
        Field field = new Field(object, "", problemCollector);
        Optional<ObjectHeader> header = ObjectHeader.read(field, Dialect.WRITTEN);
        if (header.isPresent() && header.get().key().kind() == ObjectKey.Kind.SERVICE) {
            decoder.accept(header.get(), field);
        } else if (problemCollector.errors() == 0) {
            field.refuseMissing("kind", "must be Service of v1");
        }
        return problemCollector.problems().stream().filter(Problem::isError).toList();
    }
}
