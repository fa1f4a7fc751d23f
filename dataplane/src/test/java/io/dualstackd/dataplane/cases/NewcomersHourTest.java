package io.dualstackd.dataplane.cases;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.cases.CaseFile.Block;
import io.dualstackd.dataplane.diff.elements.AppliedTable;
import io.dualstackd.dataplane.diff.elements.DestinationConflicts;
import io.dualstackd.dataplane.diff.elements.ElementCounters;
import io.dualstackd.dataplane.diff.elements.TableContent;
import io.dualstackd.dataplane.diff.elements.TableDraft;
import io.dualstackd.dataplane.plan.NodePlanner;
import io.dualstackd.dataplane.rules.encoding.ExpressionPrint;
import io.dualstackd.dataplane.rules.encoding.PrintKey;
import io.dualstackd.dataplane.rules.nftables.ElementCompiler;
import io.dualstackd.dataplane.rules.nftables.TableForm;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.nft.NftBatch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The newcomer's hour of {@code docs/ARCHITECTURE.md} shows the messages that its step of {@code clusterip.case} makes. */
class NewcomersHourTest {
    private static final Path CASE = Path.of("src/test/cases/clusterip.case");
    private static final Path PAGE = Path.of("../docs/ARCHITECTURE.md");
    private static final Pattern BYTES = Pattern.compile("^(?:[0-9a-f]{2} {1,2})+", Pattern.MULTILINE);

    private final CaseWorld world = new CaseWorld();
    private final AppliedTable belief = new AppliedTable();
    private final ExpressionPrint print = new ExpressionPrint(new PrintKey(1, 2));

    private void firstLoad() {
        TableDraft draft = TableDraft.compareAll(
                belief,
                DestinationConflicts.none(),
                TableContent.nothing(IpFamily.IPV4, TableContent.Table.MISSING),
                TableForm.plain(IpFamily.IPV4),
                NftBatch.begin(),
                print::of,
                new ElementCounters(IpFamily.IPV4));
        draft.node(NodePlanner.plan(world.node()));
        commit(draft);
    }

    private NftBatch change() {
        NftBatch batch = NftBatch.begin();
        commit(TableDraft.change(
                belief, TableForm.plain(IpFamily.IPV4), batch, print::of, new ElementCounters(IpFamily.IPV4)));
        return batch;
    }

    private void commit(TableDraft draft) {
        world.plans().forEach(plan -> draft.service(plan.key(), ElementCompiler.compile(plan)));
        draft.finish();
    }

    /** The transaction of the first change of the case. */
    private NftBatch firstChange(List<String> moreServices) {
        List<Block> after = new ArrayList<>(CaseFile.read(CASE).blocks());
        while (!after.getFirst().verb().equals("change")) {
            world.take(after.removeFirst());
        }
        CaseFile.parse(CASE, moreServices).blocks().forEach(world::take);
        firstLoad();
        world.take(after.getFirst());
        return change();
    }

    @Test
    void thePageShowsTheMessageThatMovesTheEndpoint() throws IOException {
        String page = Files.readString(PAGE);
        String shown = BYTES.matcher(page)
                .results()
                .map(line -> line.group().replace(" ", ""))
                .collect(Collectors.joining());
        assertThat(shown).hasSize(200);

        NftBatch batch = firstChange(List.of());
        assertThat(page).contains("%d messages,\n%,d bytes".formatted(batch.messages(), batch.sealedBytes()));
        assertThat(HexFormat.of().formatHex(batch.seal(1).toByteArray())).contains(shown);
    }

    @Test
    void withBothNumbersInUseOnlyElementsChange() throws IOException {
        NftBatch batch = firstChange(List.of(
                "service ns2/two",
                "  cluster-ip: 172.30.0.42",
                "  port: 80/tcp",
                "  endpoints: 10.0.0.7, 10.0.0.8",
                "service ns2/three",
                "  cluster-ip: 172.30.0.43",
                "  port: 80/tcp",
                "  endpoints: 10.0.0.7, 10.0.0.8, 10.0.0.9"));
        assertThat(batch.messages()).isEqualTo(5);
        assertThat(Files.readString(PAGE)).contains("it is five messages about elements");
    }
}
