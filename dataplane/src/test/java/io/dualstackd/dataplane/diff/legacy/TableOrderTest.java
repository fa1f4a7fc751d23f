package io.dualstackd.dataplane.diff.legacy;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.diff.FragmentImage.Place;
import io.dualstackd.dataplane.diff.Op;
import io.dualstackd.dataplane.diff.Origin;
import io.dualstackd.dataplane.diff.RuleImage;
import io.dualstackd.dataplane.diff.legacy.TableOrder.Stage;
import io.dualstackd.dataplane.io.Samples;
import io.dualstackd.dataplane.rules.iptables.ChainId;
import io.dualstackd.dataplane.rules.iptables.Rule;
import io.dualstackd.dataplane.rules.iptables.Table;
import io.dualstackd.dataplane.rules.iptables.Target;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class TableOrderTest {
    private static final RuleImage RULE = Samples.imageByText(Rule.of(new Target.Reject()));
    private static final ChainId REFUSALS = new ChainId(Table.FILTER, "KUBE-SERVICES");
    private static final Op REFUSE = new Op.PlaceRule(REFUSALS, Place.HEAD, RULE, Origin.NODE);
    private static final Op REFUSE_NO_MORE = new Op.DeleteRule(REFUSALS, 7, Origin.NODE);
    private static final Op TAKE_UP =
            new Op.PlaceRule(new ChainId(Table.NAT, "KUBE-SERVICES"), Place.HEAD, RULE, Origin.NODE);
    private static final Op LET_GO = new Op.DeleteRule(new ChainId(Table.NAT, "KUBE-SERVICES"), 8, Origin.NODE);
    private static final Op CANARY = new Op.CreateChain(new ChainId(Table.MANGLE, "KUBE-PROXY-CANARY"), Origin.NODE);

    private static List<List<Op>> stages(Op... ops) {
        return TableOrder.of(Stream.of(ops).map(op -> new NumberedOp(op, 0)).toList()).stream()
                .map(Stage::ops)
                .map(stage -> stage.stream().map(NumberedOp::op).toList())
                .toList();
    }

    @Test
    void aServiceThatLosesItsEndpointsIsRefusedBeforeNatLetsItGo() {
        assertThat(stages(LET_GO, REFUSE)).containsExactly(List.of(REFUSE), List.of(LET_GO));
    }

    @Test
    void aServiceThatGetsEndpointsIsRefusedUntilNatTakesItUp() {
        assertThat(stages(REFUSE_NO_MORE, TAKE_UP)).containsExactly(List.of(TAKE_UP), List.of(REFUSE_NO_MORE));
    }

    @Test
    void bothAtOnceTakeThreeStages() {
        assertThat(stages(CANARY, REFUSE_NO_MORE, REFUSE, TAKE_UP, LET_GO))
                .containsExactly(List.of(CANARY), List.of(REFUSE), List.of(TAKE_UP, LET_GO), List.of(REFUSE_NO_MORE));
    }

    @Test
    void withoutNatTheFilterTableIsReplacedOnce() {
        assertThat(stages(REFUSE_NO_MORE, REFUSE)).containsExactly(List.of(REFUSE_NO_MORE, REFUSE));
    }

    /** Emptied and filled are one step; emptied to be deleted is a loss. */
    @Test
    void rewritesAChainInOneStage() {
        ChainId stays = new ChainId(Table.FILTER, "KUBE-FORWARD");
        ChainId goes = new ChainId(Table.FILTER, "KUBE-PROXY-FIREWALL");
        Op empty = new Op.FlushChain(stays, Origin.NODE);
        Op fill = new Op.AppendRule(stays, RULE, Origin.NODE);
        Op emptyForGood = new Op.FlushChain(goes, Origin.NODE);
        Op delete = new Op.DeleteChain(goes, Origin.NODE);
        assertThat(stages(empty, fill, TAKE_UP, emptyForGood, delete))
                .containsExactly(List.of(empty, fill), List.of(TAKE_UP), List.of(emptyForGood, delete));
    }
}
