package io.dualstackd.pods.cri;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dualstackd.cri.v1.ListPodSandboxResponse;
import io.dualstackd.cri.v1.PodSandbox;
import io.dualstackd.cri.v1.PodSandboxMetadata;
import io.dualstackd.cri.v1.PodSandboxState;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class ListFingerprintTest {
    private static PodSandbox.Builder sandbox(int i) {
        return PodSandbox.newBuilder()
                .setId("id-" + i)
                .setMetadata(PodSandboxMetadata.newBuilder()
                        .setName("pod-" + i)
                        .setNamespace("shop")
                        .setUid("uid-" + i)
                        .setAttempt(i))
                .setState(i % 2 == 0 ? PodSandboxState.SANDBOX_READY : PodSandboxState.SANDBOX_NOTREADY)
                .setCreatedAt(1_700_000_000_000_000_000L + i)
                .putLabels("app", "web-" + i)
                .putLabels("tier", "front")
                .putAnnotations("seen", "yes");
    }

    private static byte[] list(PodSandbox... sandboxes) {
        return ListPodSandboxResponse.newBuilder()
                .addAllItems(Arrays.asList(sandboxes))
                .build()
                .toByteArray();
    }

    /** The same fields one by one in another order, which merges to the same message. */
    private static byte[] shuffled(List<PodSandbox> sandboxes, Random random) throws Exception {
        List<PodSandbox> items = new ArrayList<>(sandboxes);
        Collections.shuffle(items, random);
        ListPodSandboxResponse.Builder all = ListPodSandboxResponse.newBuilder();
        for (PodSandbox item : items) {
            PodSandbox.Builder other = PodSandbox.newBuilder(item).clearLabels();
            List<String> keys = new ArrayList<>(item.getLabelsMap().keySet());
            Collections.shuffle(keys, random);
            keys.forEach(key -> other.putLabels(key, item.getLabelsOrThrow(key)));
            all.addItems(other);
        }
        return all.build().toByteArray();
    }

    @Test
    void orderDoesNotCount() throws Exception {
        List<PodSandbox> sandboxes = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            sandboxes.add(sandbox(i).build());
        }
        long print = print(list(sandboxes.toArray(PodSandbox[]::new)));
        Random random = new Random(4711);
        Set<Integer> texts = new HashSet<>();
        for (int i = 0; i < 50; i++) {
            byte[] other = shuffled(sandboxes, random);
            texts.add(Arrays.hashCode(other));
            assertThat(print(other)).isEqualTo(print);
        }
        assertThat(texts).hasSizeGreaterThan(10);
    }

    @Test
    void fingerprintDependsOnContent() {
        List<byte[]> different = List.of(
                list(),
                list(sandbox(0).build()),
                list(sandbox(1).build()),
                list(sandbox(0).build(), sandbox(0).build()),
                list(sandbox(0).build(), sandbox(1).build()),
                list(sandbox(0).setState(PodSandboxState.SANDBOX_NOTREADY).build()),
                list(sandbox(0).setCreatedAt(5).build()),
                list(sandbox(0).setCreatedAt(-5).build()),
                list(sandbox(0).setId("id-x").build()),
                list(sandbox(0).putLabels("app", "web-1").build()),
                list(sandbox(0).putLabels("more", "").build()),
                list(sandbox(0)
                        .removeLabels("tier")
                        .putAnnotations("tier", "front")
                        .build()),
                list(sandbox(0).removeLabels("tier").build()),
                list(sandbox(0)
                        .setMetadata(sandbox(0).getMetadataBuilder().setAttempt(1))
                        .build()),
                list(
                        sandbox(0).putLabels("app", "web-1").build(),
                        sandbox(1).putLabels("app", "web-0").build()));
        assertThat(different.stream().map(ListFingerprintTest::print)).doesNotHaveDuplicates();
    }

    @Test
    void truncatedListIsRefused() {
        byte[] whole = list(sandbox(0).build(), sandbox(1).build());
        int first = list(sandbox(0).build()).length;
        for (int length = 1; length < whole.length; length++) {
            byte[] part = Arrays.copyOf(whole, length);
            if (length != first) {
                assertThatThrownBy(() -> print(part)).isInstanceOf(IllegalArgumentException.class);
            }
        }
        assertThatThrownBy(() -> print("HTTP/1.1 400 Bad Request".getBytes(java.nio.charset.StandardCharsets.UTF_8)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static long print(byte[] message) {
        return ListFingerprint.of(message, message.length);
    }
}
