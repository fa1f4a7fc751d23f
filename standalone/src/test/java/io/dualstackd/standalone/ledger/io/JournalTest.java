package io.dualstackd.standalone.ledger.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dualstackd.kubeapi.objects.IpAddress;
import io.dualstackd.kubeapi.objects.ObjectKey;
import io.dualstackd.kubeapi.tree.Tree;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpPrefix;
import io.dualstackd.standalone.ledger.Entry;
import io.dualstackd.standalone.ledger.LedgerChange;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A journal gives back what it was given, and knows a write that was interrupted from a file that was damaged. */
@Tag("slow")
final class JournalTest {
    private static final Instant THEN = Instant.parse("2026-01-01T00:00:00Z");

    @TempDir
    private Path folder;

    private Path file;

    @BeforeEach
    void name() {
        file = folder.resolve("ledger.log");
    }

    static Entry address(int number) {
        return new Entry.AddressEntry(
                THEN,
                new IpAddress(Ip.parse("10.96.0." + number), IpAddress.Parent.service("shop", "s" + number), true));
    }

    private static LedgerChange put(int number) {
        return new LedgerChange.Put(address(number));
    }

    private static LedgerChange gone(int number) {
        return new LedgerChange.Gone(address(number).key());
    }

    private List<Entry> reopened() throws IOException {
        try (Journal journal = Journal.open(folder)) {
            return journal.entries();
        }
    }

    /** Batches, and where each of them ends. */
    private record Written(List<List<Entry>> states, List<Long> ends) {
        /** What is to be read of a file that was cut after so many bytes; empty when its first batch was hit. */
        Optional<List<Entry>> after(long bytes) {
            for (int i = ends.size() - 1; i >= 0; i--) {
                if (ends.get(i) <= bytes) {
                    return Optional.of(states.get(i));
                }
            }
            return Optional.empty();
        }
    }

    private Written fourBatches() throws IOException {
        List<List<Entry>> states = new ArrayList<>();
        List<Long> ends = new ArrayList<>();
        try (Journal journal = Journal.open(folder)) {
            journal.write(List.of());
            states.add(List.of());
            // The first batch is the empty one the file begins with, the second has no change.
            long header = JournalReader.beginning().length + JournalFrame.HEADER + 5L;
            ends.add(header);
            states.add(List.of());
            ends.add(Files.size(file));
            for (List<LedgerChange> batch :
                    List.of(List.of(put(1), put(2), put(3)), List.of(gone(2), put(4)), List.of(put(5)))) {
                journal.write(batch);
                states.add(journal.entries());
                ends.add(Files.size(file));
            }
        }
        return new Written(states, ends);
    }

    @Test
    void entriesOfAllKindsComeBackAsTheyWere() throws IOException {
        Map<String, Tree> spec = new LinkedHashMap<>();
        spec.put("text", new Tree.Scalar("with \"quotes\", ü, \u0001 and 😀", Tree.Type.TEXT, 0));
        spec.put("number", new Tree.Scalar("123456789012345678901234567890", Tree.Type.WHOLE_NUMBER, 0));
        spec.put("fraction", new Tree.Scalar("1.50", Tree.Type.FRACTION, 0));
        spec.put("truth", new Tree.Scalar("true", Tree.Type.BOOLEAN, 0));
        spec.put("nothing", new Tree.Scalar("null", Tree.Type.NULL, 0));
        spec.put("list", new Tree.Sequence(List.of(new Tree.Mapping(Map.of(), 0), new Tree.Sequence(List.of(), 0)), 0));
        Entry service = new Entry.ServiceEntry(
                new ObjectKey(ObjectKey.Kind.SERVICE, "shop", "web"),
                THEN,
                new Tree.Mapping(Map.of("spec", new Tree.Mapping(spec, 0)), 0));
        Entry cidr = new Entry.CidrEntry(
                new ObjectKey(ObjectKey.Kind.SERVICE_CIDR, "", "kubernetes"),
                THEN,
                List.of(IpPrefix.parse("10.96.0.0/16"), IpPrefix.parse("fd00:96::/112")),
                Optional.of(THEN.plusNanos(1)),
                true);
        Entry reserved = new Entry.AddressEntry(
                THEN,
                new IpAddress(
                        Ip.parse("fd00:96::1"), new IpAddress.Parent("example.org", "gateways", "", "west"), false));
        try (Journal journal = Journal.open(folder)) {
            journal.write(
                    List.of(new LedgerChange.Put(service), new LedgerChange.Put(cidr), new LedgerChange.Put(reserved)));
        }
        assertThat(reopened()).containsExactly(service, cidr, reserved);
    }

    @Test
    void aFileCutAnywhereIsWhatItWasAfterItsLastWholeBatch() throws IOException {
        Written written = fourBatches();
        byte[] whole = Files.readAllBytes(file);
        for (int bytes = 0; bytes <= whole.length; bytes++) {
            Files.write(file, Arrays.copyOf(whole, bytes));
            Optional<List<Entry>> expected = written.after(bytes);
            if (expected.isEmpty()) {
                assertThatThrownBy(this::reopened).as("cut at " + bytes).isInstanceOf(LedgerDamaged.class);
                continue;
            }
            try (Journal journal = Journal.open(folder, new FaultyDisk())) {
                assertThat(journal.entries()).as("cut at " + bytes).isEqualTo(expected.get());
                assertThat(journal.cut().isPresent())
                        .as("a warning when cut at " + bytes)
                        .isEqualTo(!written.ends().contains((long) bytes));
                journal.write(List.of(put(9)));
            }
            List<Entry> after = new ArrayList<>(expected.get());
            after.add(address(9));
            assertThat(reopened()).as("written after a cut at " + bytes).isEqualTo(after);
        }
    }

    @Test
    void aFileDamagedAnywhereBeforeItsEndIsRefusedAndNotTouched() throws IOException {
        Written written = fourBatches();
        byte[] whole = Files.readAllBytes(file);
        int lastRecord = whole.length - JournalFrame.HEADER - 5;
        for (int at = 0; at < whole.length; at++) {
            for (int bit : new int[] {0, 7}) {
                byte[] damaged = whole.clone();
                damaged[at] ^= (byte) (1 << bit);
                Files.write(file, damaged);
                if (at < lastRecord) {
                    assertThatThrownBy(this::reopened)
                            .as("bit " + bit + " of byte " + at)
                            .isInstanceOf(LedgerDamaged.class)
                            .hasMessageContaining(file.toString())
                            .hasMessageContaining("restore the file from a backup")
                            .hasMessageContaining("start afresh");
                } else {
                    // The record that ends the last batch: this is what an interrupted write looks like.
                    assertThat(reopened())
                            .as("bit " + bit + " of byte " + at)
                            .isEqualTo(written.after(at).orElseThrow());
                }
                assertThat(Files.readAllBytes(file)).isEqualTo(damaged);
            }
        }
    }

    @Test
    void zerosBehindTheEndAreCut() throws IOException {
        Written written = fourBatches();
        byte[] whole = Files.readAllBytes(file);
        Files.write(file, Arrays.copyOf(whole, whole.length + 5_000));
        assertThat(reopened()).isEqualTo(written.states().getLast());
    }

    @Test
    void compactsGrownJournal() throws IOException {
        try (Journal journal = Journal.open(folder, new FaultyDisk())) {
            journal.write(List.of(put(1)));
            for (int i = 0; i < 9_000; i++) {
                journal.write(List.of(put(2), gone(3)));
            }
            assertThat(Files.size(file)).isLessThan(2 * 1024 * 1024);
            assertThat(journal.batch()).isEqualTo(9_001);
        }
        try (Journal journal = Journal.open(folder)) {
            assertThat(journal.entries()).containsExactly(address(1), address(2));
            assertThat(journal.batch()).isEqualTo(9_001);
        }
    }

    /** What accumulates between restarts counts, too. */
    @Test
    void compactsAJournalThatIsOpenedOften() throws IOException {
        for (int run = 0; run < 8; run++) {
            try (Journal journal = Journal.open(folder, new FaultyDisk())) {
                for (int i = 0; i < 2_500; i++) {
                    journal.write(List.of(put(2), gone(3)));
                }
                assertThat(Files.size(file)).isLessThan(2 * 1024 * 1024);
            }
        }
        assertThat(reopened()).containsExactly(address(2));
    }

    /** As by {@code rm -r /var/lib/dualstackd} while the daemon runs, before its first change or after it. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aFolderThatWasRemovedIsMadeAgainWithEverything(boolean written) throws IOException {
        Path ledger = folder.resolve("state/ledger");
        try (Journal journal = Journal.open(ledger)) {
            journal.write(List.of(put(1)));
        }
        try (Journal journal = Journal.open(ledger)) {
            if (written) {
                journal.write(List.of(put(2)));
            }
            remove(ledger);
            journal.write(List.of(put(3)));
            journal.write(List.of(put(4), gone(1)));
            assertThatThrownBy(() -> Journal.open(ledger)).hasMessageContaining("in use by another process");
        }
        List<Entry> expected = written ? List.of(address(2), address(3), address(4)) : List.of(address(3), address(4));
        try (Journal journal = Journal.open(ledger)) {
            assertThat(journal.entries()).isEqualTo(expected);
        }
    }

    private static void remove(Path ledger) throws IOException {
        Files.delete(ledger.resolve("ledger.log"));
        Files.delete(ledger.resolve("lock"));
        Files.delete(ledger);
        Files.delete(ledger.getParent());
    }

    /** A backup is restored while the daemon runs. */
    @Test
    void aFileThatWasReplacedIsNotTouched() throws IOException {
        try (Journal journal = Journal.open(folder)) {
            journal.write(List.of(put(1)));
            byte[] backup = Files.readAllBytes(file);
            journal.write(List.of(put(2)));
            Files.delete(file);
            Files.write(file, backup);
            assertThatThrownBy(() -> journal.write(List.of(put(3)))).hasMessageContaining("has replaced the file");
            assertThat(file).hasBinaryContent(backup);
            // Once it is gone, too, there is only one state.
            Files.delete(file);
            journal.write(List.of(put(3)));
        }
        assertThat(reopened()).containsExactly(address(1), address(2), address(3));
    }

    @Test
    void journalIsLocked() throws IOException {
        try (Journal ignored = Journal.open(folder)) {
            assertThatThrownBy(() -> Journal.open(folder)).hasMessageContaining("in use by another process");
        }
        assertThat(reopened()).isEmpty();
    }

    @Test
    void refusesARecordThatIsTooLargeToBeReadAgain() throws IOException {
        ObjectKey key = new ObjectKey(ObjectKey.Kind.SERVICE, "shop", "large");
        Tree.Mapping large = Tree.object("text", "x".repeat(JournalFrame.MAX_PAYLOAD));
        try (Journal journal = Journal.open(folder)) {
            journal.write(List.of(put(1)));
            assertThatThrownBy(() -> journal.write(
                            List.of(put(2), new LedgerChange.Put(new Entry.ServiceEntry(key, THEN, large)))))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("is larger than 8388608");
            journal.write(List.of(put(3)));
        }
        assertThat(reopened()).containsExactly(address(1), address(3));
    }

    @Test
    void aFileOfAnotherKindIsLeftAlone() throws IOException {
        Files.writeString(file, "dualstackd ledger 2\nwhatever");
        assertThatThrownBy(this::reopened)
                .isInstanceOf(LedgerDamaged.class)
                .hasMessageContaining("it is not a ledger of this version");
        Files.writeString(file, "");
        assertThatThrownBy(this::reopened).isInstanceOf(LedgerDamaged.class);
    }
}
