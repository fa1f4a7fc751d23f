package io.dualstackd.cri;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.Descriptors.FileDescriptor;
import io.dualstackd.cri.v1.CommonProto;
import io.dualstackd.cri.v1.ContainerProto;
import io.dualstackd.cri.v1.RuntimeProto;
import io.dualstackd.cri.v1.SandboxProto;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Every message, field, enum value and method that we declare is the one runtimes know. */
@Tag("fetched")
final class WireCompatibilityTest {
    private static final Facts OURS = DescriptorFacts.of(Stream.of(
                    CommonProto.getDescriptor(),
                    SandboxProto.getDescriptor(),
                    ContainerProto.getDescriptor(),
                    RuntimeProto.getDescriptor())
            .map(FileDescriptor::toProto)
            .toList());

    /**
     * Where runtimes of 2022 differ: a value became bytes, which is the same on the wire; and the event's fourth field was another
     * message before any runtime sent events.
     */
    private static final List<String> HARMLESS = List.of(
            "field KeyValue.value: here 2 bytes, there 2 string",
            "number ContainerEventResponse 4: here pod_sandbox_status, there pod_sandbox_metadata");

    @Test
    void asTheInterfaceDefinesIt() throws IOException {
        Path definition = root().resolve("target/witness/cri-api.proto");
        assertThat(definition)
                .as("the interface's own definition; bin/witness-cri-proto fetches it")
                .isNotEmptyFile();

        Facts upstream = ProtoText.facts(Files.readString(definition));

        assertThat(upstream.count("message")).isGreaterThan(OURS.count("message"));
        assertThat(OURS.contradictedBy(upstream)).isEmpty();
        assertThat(OURS.unknownTo(upstream)).isEmpty();
    }

    /**
     * A runtime may be older than what we declare, so it need not know everything; but what it knows it must know as we do. Asked are the
     * containerd that is installed, and the newer ones that {@code bin/more-containerds} fetched.
     */
    @Test
    void asTheRuntimesHereWereBuilt() throws IOException {
        Path installed = Stream.of("/usr/bin/containerd", "/usr/local/bin/containerd")
                .map(Path::of)
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow(() -> new AssertionError("no containerd here; bin/verify installs one"));
        List<Path> programs = new ArrayList<>(List.of(installed));
        Path fetched = root().resolve("target/containerd");
        if (Files.isDirectory(fetched)) {
            try (Stream<Path> versions = Files.list(fetched)) {
                versions.map(version -> version.resolve("usr/bin/containerd"))
                        .filter(Files::isExecutable)
                        .forEach(programs::add);
            }
        }
        for (Path program : programs) {
            List<FileDescriptorProto> inside = Embedded.descriptors(Files.readAllBytes(program), "runtime.v1");

            assertThat(inside).as("descriptors of runtime.v1 in " + program).hasSize(1);
            Facts upstream = DescriptorFacts.of(inside);
            assertThat(OURS.contradictedBy(upstream)).as(program.toString()).isSubsetOf(HARMLESS);
            assertThat(upstream.of("rpc RuntimeService/PodSandboxStatus"))
                    .isEqualTo("(PodSandboxStatusRequest) -> (PodSandboxStatusResponse)");
        }
    }

    /** What the two tests above would say, had we made a mistake: every kind of mistake is seen. */
    @Test
    void mistakesAreSeen() {
        String right = """
                syntax = "proto3";
                package p; // a comment
                service S { rpc A(M) returns (stream M) {} }
                enum E { ZERO = 0; ONE = 1; }
                message M { int64 a = 1; repeated string b = 2 [deprecated = true]; map<string, string> c = 3; E d = 4; }
                """;
        for (String[] mistake : new String[][] {
            {"int64 a = 1", "int64 a = 5", "field M.a: here 5 int64, there 1 int64"},
            {"int64 a", "int32 a", "field M.a: here 1 int32, there 1 int64"},
            {"int64 a", "int64 z", "number M 1: here z, there a"},
            {"repeated string", "string", "field M.b: here 2 string, there 2 repeated string"},
            {
                "map<string, string>",
                "map<string, bytes>",
                "field M.c: here 3 map<string, bytes>, there 3 map<string, string>"
            },
            {"E d", "int32 d", "field M.d: here 4 int32, there 4 E"},
            {"ONE = 1", "ONE = 2", "value E.ONE: here 2, there 1"},
            {"stream M", "M", "rpc S/A: here (M) -> (M), there (M) -> (stream M)"},
            {"package p", "package q", "package: here q, there p"},
        }) {
            Facts wrong = ProtoText.facts(right.replace(mistake[0], mistake[1]));
            assertThat(wrong.contradictedBy(ProtoText.facts(right)))
                    .as(mistake[1])
                    .containsExactly(mistake[2]);
        }
        assertThat(ProtoText.facts(right.replace("rpc A", "rpc B")).unknownTo(ProtoText.facts(right)))
                .containsExactly("rpc S/B");
    }

    @Test
    void refusesUnsupportedProtoSyntax() {
        assertThatThrownBy(() -> ProtoText.facts("message M { string a = 1"))
                .hasMessageContaining("ends in the middle");
        assertThatThrownBy(() -> ProtoText.facts("extend M {}")).hasMessageContaining("not understood: extend");
        assertThatThrownBy(() -> ProtoText.facts("message M { ? }")).hasMessageContaining("not proto: ?");
    }

    /** The methods the daemon calls; one missing here would be found only at run time. */
    @Test
    void everyMethodOfTheSpecificationIsDeclared() {
        assertThat(OURS.count("rpc")).isEqualTo(13);
        assertThat(OURS.of("package")).isEqualTo("runtime.v1");
        assertThat(OURS.of("value PodSandboxState.SANDBOX_READY")).isEqualTo("0");
        assertThat(OURS.of("rpc RuntimeService/GetContainerEvents"))
                .isEqualTo("(GetEventsRequest) -> (stream ContainerEventResponse)");
    }

    /** The repository's root, wherever the test is started. */
    private static Path root() {
        for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
            if (Files.exists(at.resolve("bin/witness-cri-proto"))) {
                return at;
            }
        }
        throw new AssertionError("started outside the repository");
    }
}
