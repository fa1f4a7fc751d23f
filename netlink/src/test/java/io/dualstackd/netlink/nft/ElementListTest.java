package io.dualstackd.netlink.nft;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.netlink.io.NftClient;
import io.dualstackd.netlink.io.NftOutcome;
import io.dualstackd.netlink.netns.FreshNetNs;
import io.dualstackd.netlink.nft.userdata.NftType;
import io.dualstackd.netlink.sys.NetNs;
import io.dualstackd.netlink.wire.Bytes;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Elements that no object stands for are the same in the kernel as those that are objects. */
@Tag("kernel")
class ElementListTest {
    private static final TableName T = new TableName(NftFamily.IP, "dualstackd");
    private static final NftSet MAP = NftSet.map(T.set("m"), NftType.MARK, NftType.IPV4_ADDR);

    private static final NftType RANGE = NftType.concat(NftType.INET_SERVICE, NftType.IPV4_ADDR);
    private static final NftSet RANGES = NftSet.set(T.set("r"), RANGE).withIntervals(RANGE);

    @Test
    void manyElementsAreOneBatchOfSeveralMessages() throws Exception {
        int many = 5_000;
        try (NetNs ns = FreshNetNs.create();
                NftClient kernel = NftClient.open(ns)) {
            ElementList list = new ElementList();
            for (int i = 0; i < many; i++) {
                element(list, i, i % 2 == 0 ? "number " + i : "");
            }
            assertThat(list.hasFull()).isTrue();
            NftBatch batch = NftBatch.begin().add(NftTable.of(T)).add(MAP).addFull(MAP.name(), list);
            assertThat(list.hasFull()).isFalse();
            batch.addElements(MAP.name(), list);
            assertThat(batch.messages()).isGreaterThan(4);
            assertThat(kernel.apply(batch)).isInstanceOf(NftOutcome.Applied.class);

            List<NftElement> found = kernel.elements(MAP.name());
            assertThat(found).hasSize(many).contains(object(0, "number 0"), object(1, ""), object(4998, "number 4998"));

            ElementList out = new ElementList();
            for (int i = 10; i < many; i++) {
                out.begin().key(Bytes.u32(i).toArray(), 0, 4).end();
            }
            assertThat(kernel.apply(NftBatch.begin().deleteElements(MAP.name(), out)))
                    .isInstanceOf(NftOutcome.Applied.class);
            assertThat(kernel.elements(MAP.name())).hasSize(10);
        }
    }

    @Test
    void aScanSeesKeysRangesAndValues() throws Exception {
        try (NetNs ns = FreshNetNs.create();
                NftClient kernel = NftClient.open(ns)) {
            byte[] first = RANGE.value(Bytes.u16be(80), Bytes.u32be(0x0a000000)).toArray();
            byte[] last = RANGE.value(Bytes.u16be(80), Bytes.u32be(0x0a0000ff)).toArray();
            ElementList ranges = new ElementList();
            ranges.begin()
                    .key(first, 0, 8)
                    .keyEnd(last, 0, 8)
                    .comment("a network")
                    .end();
            ElementList one = new ElementList();
            element(one, 7, "");
            kernel.apply(NftBatch.begin()
                    .add(NftTable.of(T))
                    .add(MAP)
                    .add(RANGES)
                    .addElements(MAP.name(), one)
                    .addElements(RANGES.name(), ranges));

            assertThat(kernel.elements(MAP.name(), Seen::new).lines).containsExactly("07000000 : 0a000007");
            assertThat(kernel.elements(RANGES.name(), Seen::new).lines)
                    .containsExactly("005000000a000000005000000a0000ff : ");
        }
    }

    /** A refusal by the kernel names the element. */
    @Test
    void aRefusalNamesTheElement() throws Exception {
        try (NetNs ns = FreshNetNs.create();
                NftClient kernel = NftClient.open(ns)) {
            kernel.apply(NftBatch.begin()
                    .add(NftTable.of(T))
                    .add(MAP)
                    .addElements(MAP.name(), List.of(object(1, ""), object(2, ""))));
            ElementList out = new ElementList();
            key(out, 1);
            key(out, 9);
            key(out, 2);
            NftBatch batch = NftBatch.begin().deleteElements(MAP.name(), out);
            NftOutcome.Problem problem =
                    ((NftOutcome.Refused) kernel.apply(batch)).problems().getFirst();
            assertThat(problem.operation()).isEqualTo("delete element ip dualstackd m { 0x09000000 }");
            assertThat(batch.step(problem.index(), problem.refusal().offset().orElse(0)))
                    .isEqualTo(new NftChange.ElementsDeleted(MAP.name(), List.of(NftElement.of(Bytes.u32(9)))));
        }
    }

    private static final class Seen implements ElementScan.Sink {
        private final List<String> lines = new ArrayList<>();

        @Override
        public void element(ElementScan element) {
            HexFormat hex = HexFormat.of();
            lines.add(hex.formatHex(element.key(), 0, element.keyLength()) + " : "
                    + hex.formatHex(element.value(), 0, element.valueLength()));
        }
    }

    private static void element(ElementList list, int number, String comment) {
        list.begin()
                .key(Bytes.u32(number).toArray(), 0, 4)
                .data(Bytes.u32be(0x0a000000 + number).toArray(), 0, 4)
                .comment(comment)
                .end();
    }

    private static NftElement object(int number, String comment) {
        NftElement element =
                NftElement.of(Bytes.u32(number), new MapData.Value(Bytes.u32be(0x0a000000 + number)), Bytes.EMPTY);
        return comment.isEmpty() ? element : element.withComment(comment);
    }

    private static void key(ElementList list, int key) {
        byte[] content = Bytes.u32(key).toArray();
        list.begin().key(content, 0, content.length).end();
    }
}
