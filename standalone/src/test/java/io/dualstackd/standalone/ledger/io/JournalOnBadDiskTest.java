package io.dualstackd.standalone.ledger.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dualstackd.standalone.ledger.Entry;
import io.dualstackd.standalone.ledger.LedgerChange;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever step fails: what was acknowledged is there, what was not is not, and the next batch is written. */
final class JournalOnBadDiskTest {
    @TempDir
    private Path folder;

    private final FaultyDisk disk = new FaultyDisk();

    private static List<LedgerChange> batch(int number) {
        return List.of(new LedgerChange.Put(JournalTest.address(number)));
    }

    private List<Entry> reopened() throws IOException {
        try (Journal journal = Journal.open(folder)) {
            return journal.entries();
        }
    }

    @Test
    void everyStepMayFail() throws IOException {
        for (int step = 0; ; step++) {
            Path mine = folder.resolve("step" + step);
            try (Journal journal = Journal.open(mine, disk)) {
                journal.write(batch(1));
                disk.failAfter(step, false);
                boolean failed = false;
                try {
                    journal.write(batch(2));
                } catch (IOException e) {
                    failed = true;
                }
                boolean never = disk.isWaiting();
                disk.work();
                assertThat(journal.entries()).hasSize(failed ? 1 : 2);
                journal.write(batch(3));
                assertThat(journal.entries()).hasSize(failed ? 2 : 3);
                List<Entry> expected = journal.entries();
                journal.close();
                try (Journal again = Journal.open(mine)) {
                    assertThat(again.entries()).as("step " + step).isEqualTo(expected);
                    assertThat(again.cut()).isEmpty();
                }
                if (never) {
                    return;
                }
            }
        }
    }

    @Test
    void aNewJournalMayFailAtEveryStep() throws IOException {
        for (int step = 0; ; step++) {
            Path mine = folder.resolve("step" + step);
            try (Journal journal = Journal.open(mine, disk)) {
                disk.failAfter(step, false);
                try {
                    journal.write(batch(1));
                } catch (IOException e) {
                    assertThat(journal.entries()).isEmpty();
                    assertThat(mine.resolve("ledger.log.new")).doesNotExist();
                    journal.write(batch(1));
                }
                boolean never = disk.isWaiting();
                disk.work();
                assertThat(journal.entries()).hasSize(1);
                journal.close();
                try (Journal again = Journal.open(mine)) {
                    assertThat(again.entries()).containsExactly(JournalTest.address(1));
                }
                if (never) {
                    return;
                }
            }
        }
    }

    @Test
    void whileTheDiskIsFullNothingIsLost() throws IOException {
        try (Journal journal = Journal.open(folder, disk)) {
            journal.write(batch(1));
            disk.failAfter(0, true);
            for (int i = 0; i < 3; i++) {
                assertThatThrownBy(() -> journal.write(batch(2))).hasMessage("No space left on device");
            }
            disk.work();
            journal.write(batch(3));
        }
        assertThat(reopened()).containsExactly(JournalTest.address(1), JournalTest.address(3));
    }
}
