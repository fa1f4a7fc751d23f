package io.dualstackd.pods.cri;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.InvalidProtocolBufferException;
import io.dualstackd.cri.v1.LinuxPodSandboxStatus;
import io.dualstackd.cri.v1.ListContainersResponse;
import io.dualstackd.cri.v1.ListPodSandboxResponse;
import io.dualstackd.cri.v1.Namespace;
import io.dualstackd.cri.v1.NamespaceOption;
import io.dualstackd.cri.v1.PodSandbox;
import io.dualstackd.cri.v1.PodSandboxMetadata;
import io.dualstackd.cri.v1.PodSandboxNetworkStatus;
import io.dualstackd.cri.v1.PodSandboxStatus;
import io.dualstackd.cri.v1.PodSandboxStatusResponse;
import io.dualstackd.cri.v1.RuntimeCondition;
import io.dualstackd.cri.v1.RuntimeStatus;
import io.dualstackd.cri.v1.StatusResponse;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Messages, some of them as bytes, become records. */
final class CriMessagesTest {

    /** Written by hand from the wire format: field and type, length, content. */
    private static final byte[] READY_WITH_TWO_IPS = bytes(
            "0a 3f", // status
            "0a 02 's1'", // id
            "12 1b", // metadata
            "0a 03 'web'",
            "12 05 'uid-1'",
            "1a 07 'default'",
            "20 80 80 80 80 08", // attempt, 2^31: a varint of 5 bytes
            "2a 1c", // network; nothing said of the state
            "0a 08 '10.0.0.1'",
            "12 0a 0a 08 'fd01::1a'",
            "12 04 0a 02 '::'");

    @Test
    void absentStateMeansReady() throws InvalidProtocolBufferException {
        SandboxReport report = CriMessages.report(PodSandboxStatusResponse.parseFrom(READY_WITH_TWO_IPS));

        assertThat(report)
                .isEqualTo(new SandboxReport(
                        Optional.of(new SandboxReport.Status(
                                true,
                                false,
                                Optional.of(new SandboxReport.Network("10.0.0.1", List.of("fd01::1a", "::"))))),
                        0));
    }

    @Test
    void absentFieldsAreEmpty() {
        SandboxReport none = CriMessages.report(PodSandboxStatusResponse.getDefaultInstance());
        SandboxReport bare = CriMessages.report(PodSandboxStatusResponse.newBuilder()
                .setStatus(PodSandboxStatus.newBuilder().setId("x"))
                .build());

        assertThat(none.status()).isEmpty();
        assertThat(bare.status().orElseThrow().network()).isEmpty();
    }

    @Test
    void anEmptyNetworkIsNotAMissingOne() {
        SandboxReport report = CriMessages.report(PodSandboxStatusResponse.newBuilder()
                .setStatus(PodSandboxStatus.newBuilder()
                        .setNetwork(PodSandboxNetworkStatus.getDefaultInstance())
                        .setLinux(LinuxPodSandboxStatus.newBuilder()
                                .setNamespaces(Namespace.newBuilder()
                                        .setOptions(NamespaceOption.newBuilder()
                                                .setNetwork(io.dualstackd.cri.v1.NamespaceMode.NODE)))))
                .build());

        assertThat(report.status().orElseThrow().network()).contains(new SandboxReport.Network("", List.of()));
        assertThat(report.status().orElseThrow().onHostNetwork()).isTrue();
    }

    @Test
    void numbersWithoutAName() {
        assertThat(CriMessages.sandboxes(ListPodSandboxResponse.newBuilder()
                                .addItems(PodSandbox.newBuilder().setStateValue(7))
                                .build())
                        .getFirst()
                        .ready())
                .isFalse();
        assertThat(CriMessages.containers(ListContainersResponse.newBuilder()
                                .addContainers(io.dualstackd.cri.v1.Container.newBuilder()
                                        .setStateValue(-1))
                                .build())
                        .getFirst()
                        .state())
                .isEqualTo(ContainerState.UNKNOWN);
    }

    @Test
    void sandboxesOfAList() {
        List<Sandbox> sandboxes = CriMessages.sandboxes(ListPodSandboxResponse.newBuilder()
                .addItems(PodSandbox.newBuilder()
                        .setId("a")
                        .setMetadata(PodSandboxMetadata.newBuilder().setAttempt(-1))
                        .setState(io.dualstackd.cri.v1.PodSandboxState.SANDBOX_NOTREADY)
                        .setCreatedAt(-62135596800000000L)
                        .putLabels("app", "web"))
                .build());

        assertThat(sandboxes)
                .containsExactly(new Sandbox(
                        "a",
                        Optional.of(new Sandbox.Metadata("", "", "", 0xffff_ffffL)),
                        false,
                        -62135596800000000L,
                        Map.of("app", "web")));
    }

    @Test
    void aConditionNotReportedDoesNotHold() {
        RuntimeConditions conditions = CriMessages.conditions(StatusResponse.newBuilder()
                .setStatus(RuntimeStatus.newBuilder()
                        .addConditions(RuntimeCondition.newBuilder()
                                .setType("RuntimeReady")
                                .setStatus(true)))
                .build());

        assertThat(conditions.runtime().holds()).isTrue();
        assertThat(conditions.network().holds()).isFalse();
        assertThat(conditions.network().message()).isEqualTo("the runtime does not report NetworkReady");
    }

    private static byte[] bytes(String... parts) {
        var out = new java.io.ByteArrayOutputStream();
        for (String part : parts) {
            int quote = part.indexOf('\'');
            String hex = quote < 0 ? part : part.substring(0, quote);
            out.writeBytes(HexFormat.of().parseHex(hex.replace(" ", "")));
            if (quote >= 0) {
                out.writeBytes(part.substring(quote + 1, part.length() - 1).getBytes(StandardCharsets.UTF_8));
            }
        }
        return out.toByteArray();
    }
}
