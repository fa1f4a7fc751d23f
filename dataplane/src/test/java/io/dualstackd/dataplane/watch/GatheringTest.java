package io.dualstackd.dataplane.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.netlink.nft.NftFamily;
import io.dualstackd.netlink.nft.SetName;
import io.dualstackd.netlink.nft.TableName;
import io.dualstackd.netlink.wire.Bytes;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class GatheringTest {
    private static final TableName TABLE = new TableName(NftFamily.IP, "dualstackd");
    private static final TableName OTHER = new TableName(NftFamily.IP, "nat");
    private static final SetName SET = TABLE.set("endpoints");

    private final Gathering gathering = new Gathering();

    private static ChangedObject element(int key) {
        return new ChangedObject.InElements(SET, Set.of(Bytes.u32(key)));
    }

    @Test
    void elementsOfOneSetAreOneChange() {
        gathering.add(element(1));
        gathering.add(element(2));
        gathering.add(element(1));
        assertThat(gathering.take())
                .containsExactly(new ChangedObject.InElements(SET, Set.of(Bytes.u32(1), Bytes.u32(2))));
        assertThat(gathering.isEmpty()).isTrue();
        assertThat(gathering.take()).isEmpty();
    }

    @Test
    void manyElementsAreTheirSet() {
        for (int i = 0; i < 100_000; i++) {
            gathering.add(element(i));
        }
        assertThat(gathering.take()).containsExactly(new ChangedObject.InSet(SET));
    }

    @Test
    void manyThingsAreTheirTable() {
        gathering.add(new ChangedObject.InRules(OTHER.chain("c")));
        gathering.add(element(1));
        for (int i = 0; i < 1_000; i++) {
            gathering.add(new ChangedObject.InChain(TABLE.chain("c" + i)));
        }
        gathering.add(element(2));
        assertThat(gathering.take())
                .containsExactlyInAnyOrder(
                        new ChangedObject.InRules(OTHER.chain("c")), new ChangedObject.InTable(TABLE));
    }

    @Test
    void theTableCoversWhatIsInIt() {
        gathering.add(element(1));
        gathering.add(new ChangedObject.InSet(TABLE.set("other")));
        gathering.add(new ChangedObject.InTable(TABLE));
        gathering.add(new ChangedObject.InRules(TABLE.chain("c")));
        assertThat(gathering.take()).containsExactly(new ChangedObject.InTable(TABLE));
    }

    @Test
    void anythingCoversAll() {
        gathering.add(new ChangedObject.InTable(TABLE));
        gathering.add(new ChangedObject.Anything());
        gathering.add(new ChangedObject.InTable(OTHER));
        gathering.add(element(1));
        assertThat(gathering.take()).containsExactly(new ChangedObject.Anything());
    }
}
