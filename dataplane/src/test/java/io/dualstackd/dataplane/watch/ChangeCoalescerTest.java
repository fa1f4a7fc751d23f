package io.dualstackd.dataplane.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.netlink.nft.NftFamily;
import io.dualstackd.netlink.nft.SetName;
import io.dualstackd.netlink.nft.TableName;
import io.dualstackd.netlink.wire.Bytes;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class ChangeCoalescerTest {
    private static final TableName TABLE = new TableName(NftFamily.IP, "dualstackd");
    private static final TableName OTHER = new TableName(NftFamily.IP, "nat");
    private static final SetName SET = TABLE.set("endpoints");

    private final ChangeCoalescer changeCoalescer = new ChangeCoalescer();

    private static ChangedObject element(int key) {
        return new ChangedObject.InElements(SET, Set.of(Bytes.u32(key)));
    }

    @Test
    void elementsOfOneSetAreOneChange() {
        changeCoalescer.add(element(1));
        changeCoalescer.add(element(2));
        changeCoalescer.add(element(1));
        assertThat(changeCoalescer.take())
                .containsExactly(new ChangedObject.InElements(SET, Set.of(Bytes.u32(1), Bytes.u32(2))));
        assertThat(changeCoalescer.isEmpty()).isTrue();
        assertThat(changeCoalescer.take()).isEmpty();
    }

    @Test
    void manyElementsAreTheirSet() {
        for (int i = 0; i < 100_000; i++) {
            changeCoalescer.add(element(i));
        }
        assertThat(changeCoalescer.take()).containsExactly(new ChangedObject.InSet(SET));
    }

    @Test
    void manyChangesAreMergedToTheirTable() {
        changeCoalescer.add(new ChangedObject.InRules(OTHER.chain("c")));
        changeCoalescer.add(element(1));
        for (int i = 0; i < 1_000; i++) {
            changeCoalescer.add(new ChangedObject.InChain(TABLE.chain("c" + i)));
        }
        changeCoalescer.add(element(2));
        assertThat(changeCoalescer.take())
                .containsExactlyInAnyOrder(
                        new ChangedObject.InRules(OTHER.chain("c")), new ChangedObject.InTable(TABLE));
    }

    @Test
    void theTableCoversWhatIsInIt() {
        changeCoalescer.add(element(1));
        changeCoalescer.add(new ChangedObject.InSet(TABLE.set("other")));
        changeCoalescer.add(new ChangedObject.InTable(TABLE));
        changeCoalescer.add(new ChangedObject.InRules(TABLE.chain("c")));
        assertThat(changeCoalescer.take()).containsExactly(new ChangedObject.InTable(TABLE));
    }

    @Test
    void anythingCoversAll() {
        changeCoalescer.add(new ChangedObject.InTable(TABLE));
        changeCoalescer.add(new ChangedObject.Anything());
        changeCoalescer.add(new ChangedObject.InTable(OTHER));
        changeCoalescer.add(element(1));
        assertThat(changeCoalescer.take()).containsExactly(new ChangedObject.Anything());
    }
}
