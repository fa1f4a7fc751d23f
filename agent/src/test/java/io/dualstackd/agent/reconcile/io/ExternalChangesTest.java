package io.dualstackd.agent.reconcile.io;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.watch.ChangeAuthor;
import io.dualstackd.dataplane.watch.ChangedObject;
import io.dualstackd.dataplane.watch.ExternalChange;
import io.dualstackd.netlink.nft.NftFamily;
import io.dualstackd.netlink.nft.TableName;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Changes by other programs between two syncs. */
final class ExternalChangesTest {
    private final ExternalChanges changes = new ExternalChanges();

    @Test
    void manyChangesNeedLittleMemory() {
        TableName table = new TableName(NftFamily.IP, "dualstackd");
        ChangeAuthor author = new ChangeAuthor("nft", 4711);
        for (int n = 0; n < 100_000; n++) {
            changes.add(new ExternalChange(Set.of(new ChangedObject.InChain(table.chain("c" + n))), author));
        }
        assertThat(changes.isEmpty()).isFalse();
        assertThat(changes.take()).contains(new ExternalChange(Set.of(new ChangedObject.InTable(table)), author));
        assertThat(changes.isEmpty()).isTrue();
        assertThat(changes.take()).isEmpty();
    }
}
