package io.dualstackd.dataplane.diff.elements;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.netlink.random.Tries;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Endpoints are one byte here. */
class SlotChangeProperties {
    private static final int EMPTY = -1;

    @Test
    void slotsEndUpWithEachWantedOnceAndNoWriteIsWasted() {
        Tries.of(
                1_000,
                draw -> slotsEndUpWithEachWantedOnceAndNoWriteIsWasted(
                        draw.seed(), draw.upTo(12), draw.between(1, 12)));
    }

    private void slotsEndUpWithEachWantedOnceAndNoWriteIsWasted(long seed, int had, int wanted) {
        Random random = new Random(seed);
        int[] before = new int[had];
        for (int slot = 0; slot < had; slot++) {
            // Gaps and duplicates, as another program may leave behind.
            before[slot] = random.nextInt(8) == 0 ? EMPTY : random.nextInt(16);
        }
        Set<Integer> want = new HashSet<>();
        while (want.size() < wanted) {
            want.add(random.nextInt(16));
        }
        List<Integer> order = new ArrayList<>(want);
        TreeMap<Integer, Integer> kernel = new TreeMap<>();
        for (int slot = 0; slot < had; slot++) {
            if (before[slot] != EMPTY) {
                kernel.put(slot, before[slot]);
            }
        }
        int[] removed = {0};
        int[] put = {0};
        byte[] after = SlotChange.apply(slots(before), bytes(order), 1, new SlotChange.Writes() {
            @Override
            public void remove(int slot) {
                removed[0]++;
                assertThat(kernel.remove(slot)).isNotNull();
            }

            @Override
            public void put(int slot, byte[] values, int at) {
                put[0]++;
                assertThat(kernel.put(slot, (int) values[at])).isNull();
            }
        });

        assertThat(kernel.keySet()).containsExactlyElementsOf(range(wanted));
        assertThat(kernel.values()).containsExactlyInAnyOrderElementsOf(want);
        assertThat(List.copyOf(kernel.values())).isEqualTo(numbers(after));

        Set<Integer> keepable = new HashSet<>();
        int there = 0;
        for (int slot = 0; slot < had; slot++) {
            if (before[slot] != EMPTY) {
                there++;
                if (slot < wanted && want.contains(before[slot])) {
                    keepable.add(before[slot]);
                }
            }
        }
        assertThat(removed[0]).isEqualTo(there - keepable.size());
        assertThat(put[0]).isEqualTo(wanted - keepable.size());
    }

    private static SlotChange.Before slots(int[] before) {
        byte[] values = new byte[before.length];
        for (int i = 0; i < before.length; i++) {
            values[i] = (byte) before[i];
        }
        return new SlotChange.Before() {
            @Override
            public int slots() {
                return before.length;
            }

            @Override
            public int valueAt(int slot) {
                return before[slot] == EMPTY ? -1 : slot;
            }

            @Override
            public byte[] values(int slot) {
                return values;
            }
        };
    }

    private static byte[] bytes(List<Integer> numbers) {
        byte[] bytes = new byte[numbers.size()];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = numbers.get(i).byteValue();
        }
        return bytes;
    }

    private static List<Integer> numbers(byte[] bytes) {
        List<Integer> numbers = new ArrayList<>();
        for (byte each : bytes) {
            numbers.add((int) each);
        }
        return numbers;
    }

    private static List<Integer> range(int count) {
        List<Integer> range = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            range.add(i);
        }
        return range;
    }
}
