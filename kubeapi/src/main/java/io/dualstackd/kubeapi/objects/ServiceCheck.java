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

/** Runs the decoders of this package on a {@code v1/Service} that is a tree already, for admission. Returns only errors. */
public final class ServiceCheck {
    private ServiceCheck() {}

    /** Values of a wrong type for their field, in a Service as written. */
    public static List<Problem> written(Tree.Mapping object) {
        return problems(object, WrittenServiceDecoder::decode);
    }

    /** Rules that a Service breaks as stored by an API server; it may lack cluster IPs. */
    public static List<Problem> stored(Tree.Mapping object) {
        return problems(object, ServiceDecoder::decode);
    }

    /** Returns the object without fields that a Service does not have: they caused a warning, and an API server would not store them. */
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

    /** The path in the object of a problem returned by this class. */
    public static String field(Problem problem) {
        return problem.place() instanceof Place.InFile place ? place.field() : "";
    }

    private static List<Problem> problems(Tree.Mapping object, BiConsumer<ObjectHeader, Field> decoder) {
        ProblemCollector problemCollector = new ProblemCollector("", 0);
        Field field = new Field(object, "", problemCollector);
        Optional<ObjectHeader> header = ObjectHeader.read(field, Dialect.WRITTEN, "default");
        if (header.isPresent()
                && header.get().key().kind() == ObjectKey.Kind.SERVICE
                && header.get().mistyped().isEmpty()) {
            decoder.accept(header.get(), field);
        } else if (problemCollector.errors() == 0) {
            field.refuseMissing("kind", "must be Service of v1");
        }
        return problemCollector.problems().stream().filter(Problem::isError).toList();
    }
}
