package io.dualstackd.kubeapi.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.kubeapi.tree.Field;
import io.dualstackd.kubeapi.tree.ProblemCollector;
import io.dualstackd.kubeapi.tree.Tree;
import io.dualstackd.kubeapi.wire.raw.FieldNumbersTest;
import io.dualstackd.kubeapi.wire.raw.IgnoredValue;
import io.dualstackd.kubeapi.wire.raw.IgnoredValues;
import io.dualstackd.kubeapi.wire.raw.NamePool;
import io.dualstackd.kubeapi.wire.raw.ObjectSchema;
import io.dualstackd.kubeapi.wire.raw.ProtoReader;
import io.dualstackd.kubeapi.wire.raw.RawEndpointSlice;
import io.dualstackd.kubeapi.wire.raw.RawNode;
import io.dualstackd.kubeapi.wire.raw.RawObject;
import io.dualstackd.kubeapi.wire.raw.RawService;
import io.dualstackd.kubeapi.wire.raw.RawServiceCidr;
import io.dualstackd.kubeapi.wire.raw.WireException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Objects in which every field is set, as upstream's own serializers wrote them in both encodings: both are read alike, and nothing that we
 * look for is missed. Most of the values are no sensible ones ({@code "clusterIPValue"}), so what is dropped shows what was read.
 */
final class UpstreamSamplesTest {
    @ParameterizedTest
    @CsvSource({
        "core.v1.Service, 8",
        "core.v1.Node, 1",
        "core.v1.Pod, 0",
        "discovery.k8s.io.v1.EndpointSlice, 2",
        "networking.k8s.io.v1.ServiceCIDR, 1"
    })
    void bothFilesSayTheSame(String sample, int leastDropped) throws IOException, WireException {
        ObjectSchema<?> objectSchema = shape(sample.substring(sample.lastIndexOf('.') + 1));
        assertThat(compare(objectSchema, sample).size()).isGreaterThanOrEqualTo(leastDropped);
    }

    private static ObjectSchema<?> shape(String kind) {
        return switch (kind) {
            case "Service" -> new ObjectSchema<>(kind, true, RawService::new);
            case "Node" -> new ObjectSchema<>(kind, false, RawNode::new);
            case "EndpointSlice" -> new ObjectSchema<>(kind, true, RawEndpointSlice::new);
            case "ServiceCIDR" -> new ObjectSchema<>(kind, false, RawServiceCidr::new);
            default -> ObjectSchema.PODS;
        };
    }

    private static <T> List<IgnoredValue> compare(ObjectSchema<T> objectSchema, String sample)
            throws IOException, WireException {
        NamePool names = new NamePool();
        byte[] proto = Files.readAllBytes(file(sample + ".pb"));
        Envelope envelope = Envelope.open(proto, 0, proto.length, names, 0);
        RawObject<T> fromProto = objectSchema.parts().get();
        fromProto.proto(new ProtoReader(proto, envelope.start(), envelope.length(), names));
        IgnoredValues protoDrops = new IgnoredValues(objectSchema.kind(), fromProto.meta);
        T protoObject = fromProto.build(protoDrops);

        Tree tree = JsonTree.read(Files.readAllBytes(file(sample + ".json"))).orElseThrow();
        ProblemCollector problemCollector = new ProblemCollector("", 0);
        Field object = new Field(tree, "", problemCollector);
        RawObject<T> fromJson = objectSchema.parts().get();
        object.object("metadata").ifPresent(fromJson.meta::json);
        fromJson.json(object);
        IgnoredValues jsonDrops = new IgnoredValues(objectSchema.kind(), fromJson.meta);
        T jsonObject = fromJson.build(jsonDrops);

        assertThat(envelope.kind()).isEqualTo(objectSchema.kind());
        assertThat(problemCollector.problems()).isEmpty();
        assertThat(protoObject).isEqualTo(jsonObject);
        assertThat(protoDrops.values()).isEqualTo(jsonDrops.values());
        assertThat(List.of(fromProto.meta.uid(), fromProto.meta.resourceVersion(), fromProto.meta.deleting()))
                .isEqualTo(List.of(fromJson.meta.uid(), fromJson.meta.resourceVersion(), fromJson.meta.deleting()))
                .containsExactly("uidValue", "resourceVersionValue", true);
        return protoDrops.values();
    }

    private static Path file(String name) {
        Path file = FieldNumbersTest.root().resolve("target/witness/kube/" + name);
        assertThat(file)
                .as("upstream's own sample; bin/witness-kube-proto fetches it")
                .isNotEmptyFile();
        return file;
    }
}
