package io.dualstackd.kubeapi.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.kubeapi.objects.ApiObject;
import io.dualstackd.kubeapi.objects.ObjectKey;
import io.dualstackd.kubeapi.tree.Field;
import io.dualstackd.kubeapi.tree.JsonTree;
import io.dualstackd.kubeapi.tree.ProblemCollector;
import io.dualstackd.kubeapi.tree.Tree;
import io.dualstackd.kubeapi.wire.raw.FieldNumbersTest;
import io.dualstackd.kubeapi.wire.raw.JsonReader;
import io.dualstackd.kubeapi.wire.raw.NamePool;
import io.dualstackd.kubeapi.wire.raw.ProtoReader;
import io.dualstackd.kubeapi.wire.raw.RawObject;
import io.dualstackd.kubeapi.wire.raw.WireException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Objects in which every field is set, as upstream's own serializers wrote them in both encodings: both are read alike, and nothing that we
 * look for is missed. Most of the values are no sensible ones ({@code "clusterIPValue"}), so what is dropped shows what was read.
 */
@Tag("fetched")
final class UpstreamSamplesTest {
    @ParameterizedTest
    @CsvSource({
        "core.v1.Service, 8",
        "core.v1.Node, 1",
        "discovery.k8s.io.v1.EndpointSlice, 2",
        "networking.k8s.io.v1.ServiceCIDR, 1"
    })
    void bothFilesSayTheSame(String sample, int leastDropped) throws IOException, WireException {
        ObjectKey.Kind kind = kind(sample.substring(sample.lastIndexOf('.') + 1));
        ProtoReader proto = new ProtoReader(new NamePool());
        byte[] bytes = Files.readAllBytes(file(sample + ".pb"));
        Envelope envelope = Envelope.open(bytes, 0, bytes.length, proto, 0);
        assertThat(envelope.kind()).isEqualTo(kind.toString());
        RawObject fromProto = RawObject.of(kind);
        fromProto.read(proto.over(bytes, envelope.start(), envelope.length()));
        ApiObject protoObject = fromProto.build();

        Tree tree = JsonTree.read(Files.readAllBytes(file(sample + ".json"))).orElseThrow();
        ProblemCollector problemCollector = new ProblemCollector("", 0);
        RawObject fromJson = RawObject.of(kind);
        fromJson.read(new JsonReader(new Field(tree, "", problemCollector), new NamePool()));
        assertThat(protoObject).isEqualTo(fromJson.build());
        assertThat(problemCollector.problems()).isEmpty();
        assertThat(fromProto.ignored.values())
                .isEqualTo(fromJson.ignored.values())
                .hasSizeGreaterThanOrEqualTo(leastDropped);
        assertThat(List.of(fromProto.meta.resourceVersion(), fromProto.meta.deleting()))
                .isEqualTo(List.of(fromJson.meta.resourceVersion(), fromJson.meta.deleting()))
                .containsExactly("resourceVersionValue", true);
    }

    private static ObjectKey.Kind kind(String name) {
        return Arrays.stream(ObjectKey.Kind.values())
                .filter(kind -> kind.toString().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static Path file(String name) {
        Path file = FieldNumbersTest.root().resolve("target/witness/kube/" + name);
        assertThat(file)
                .as("upstream's own sample; bin/witness-kube-proto fetches it")
                .isNotEmptyFile();
        return file;
    }
}
