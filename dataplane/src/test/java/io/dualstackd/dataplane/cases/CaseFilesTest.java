package io.dualstackd.dataplane.cases;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.cases.CaseFile.Block;
import io.dualstackd.dataplane.rules.iptables.Ruleset;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every case file comes true; with {@code -Dgolden.update=true} its {@code expect} blocks are rewritten instead. */
class CaseFilesTest {
    private static final boolean UPDATE = Boolean.getBoolean("golden.update");

    static List<Path> cases() {
        return CaseFile.all();
    }

    @ParameterizedTest
    @MethodSource("cases")
    void comesTrue(Path path) {
        CaseFile file = CaseFile.read(path);
        CaseWorld world = new CaseWorld();
        List<Block> after = new ArrayList<>();
        List<Ruleset> shown = new ArrayList<>();
        for (Block block : file.blocks()) {
            after.add(
                    switch (block.verb()) {
                        case "expect" -> expect(path, block, world, shown);
                        case "packets" -> packets(path, block, world);
                        default -> {
                            world.take(block);
                            yield block;
                        }
                    });
        }
        if (UPDATE) {
            new CaseFile(path, after).write();
        }
    }

    /** {@code shown} ends with the rules at the last {@code expect} block: that is what "change" is measured from. */
    private static Block expect(Path path, Block block, CaseWorld world, List<Ruleset> shown) {
        Ruleset now = world.rules();
        List<String> actual = switch (block.object()) {
            case "frame" -> RuleLines.ofFrame(now.family(), world.frame());
            case "rules" -> RuleLines.ofFragments(now.family(), world.fragments());
            case "change" -> RuleLines.ofChange(shown.getLast(), now);
            default -> throw new IllegalArgumentException(path + ":" + block.line() + ": cannot " + block.heading());
        };
        shown.add(now);
        if (!UPDATE) {
            assertThat(String.join("\n", actual))
                    .as("%s:%d: %s", path, block.line(), block.heading())
                    .isEqualTo(String.join("\n", block.body()));
        }
        return new Block(block.line(), block.heading(), actual);
    }

    private static Block packets(Path path, Block block, CaseWorld world) {
        for (String line : block.body()) {
            PacketLine packet = PacketLine.parse(line);
            assertThat(packet.walk(world.rules(), world.node(), world.plans()))
                    .as("%s:%d: %s", path, block.line(), line)
                    .isEqualTo(packet.expected());
        }
        return block;
    }

    @Test
    void thereAreCases() {
        assertThat(CaseFile.all()).hasSizeGreaterThan(15);
    }
}
