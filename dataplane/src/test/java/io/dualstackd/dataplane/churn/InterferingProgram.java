package io.dualstackd.dataplane.churn;

import io.dualstackd.dataplane.rules.nftables.TableSets;
import io.dualstackd.netlink.io.NetlinkException;
import io.dualstackd.netlink.io.NftClient;
import io.dualstackd.netlink.io.NftOutcome;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.nft.MapData;
import io.dualstackd.netlink.nft.NftBatch;
import io.dualstackd.netlink.nft.NftChain;
import io.dualstackd.netlink.nft.NftElement;
import io.dualstackd.netlink.nft.NftHook;
import io.dualstackd.netlink.nft.NftRule;
import io.dualstackd.netlink.nft.NftSet;
import io.dualstackd.netlink.nft.NftTable;
import io.dualstackd.netlink.nft.TableName;
import io.dualstackd.netlink.nft.data.Verdict;
import io.dualstackd.netlink.nft.expr.Lookup;
import io.dualstackd.netlink.nft.expr.NftExpr;
import io.dualstackd.netlink.nft.expr.VerdictExpr;
import io.dualstackd.netlink.nft.userdata.NftType;
import io.dualstackd.netlink.wire.Bytes;
import java.util.List;
import java.util.Random;

/** Another program, or an admin by mistake, that changes a table of ours at random. */
final class InterferingProgram {
    private final NftClient kernel;
    private final TableName table;
    private final Random random;

    InterferingProgram(NftClient kernel, IpFamily family, Random random) {
        this.kernel = kernel;
        this.table = TableSets.name(family);
        this.random = random;
    }

    /** Makes a random change, and describes it; the kernel may refuse it. */
    String change() {
        try {
            if (kernel.table(table).isEmpty()) {
                return "finds no table";
            }
            NftBatch batch = NftBatch.begin();
            String what = plan(batch);
            NftOutcome outcome = kernel.apply(batch);
            return outcome instanceof NftOutcome.Applied ? what : what + ", in vain: " + outcome;
        } catch (NetlinkException e) {
            throw new IllegalStateException("the other program cannot reach the kernel", e);
        }
    }

    private String plan(NftBatch batch) throws NetlinkException {
        return switch (random.nextInt(16)) {
            case 0 -> {
                batch.delete(table);
                yield "deletes the table";
            }
            case 1, 2, 3 -> deleteElement(batch);
            case 4, 5 -> addElement(batch);
            case 6, 7 -> deleteRule(batch);
            case 8 -> deleteChain(batch);
            case 9 -> deleteSet(batch);
            case 10 -> strayChain(batch);
            case 11 -> strayRule(batch);
            case 12 -> straySet(batch);
            case 13 -> moveElement(batch);
            case 14 -> {
                NftTable asleep = new NftTable(table, NftTable.DORMANT, 0, 0, Bytes.EMPTY);
                batch.add(asleep);
                yield "puts the table to sleep";
            }
            default -> setPolicyDrop(batch);
        };
    }

    private String deleteElement(NftBatch batch) throws NetlinkException {
        NftSet set = anyFilledSet();
        NftElement element = any(kernel.elements(set.name()));
        batch.deleteElements(set.name(), List.of(element));
        return "deletes " + element + " from " + set.name();
    }

    private String addElement(NftBatch batch) throws NetlinkException {
        NftSet set = any(named());
        NftElement element = stray(set);
        batch.addElements(set.name(), List.of(element));
        return "adds " + element + " to " + set.name();
    }

    private NftElement stray(NftSet set) {
        Bytes key = noise(set.keyLength());
        if (set.has(NftSet.INTERVAL)) {
            return NftElement.of(key).to(key);
        }
        if (!set.isMap()) {
            return NftElement.of(key);
        }
        return set.dataType() == NftType.VERDICT.number()
                ? NftElement.of(key, new MapData.Does(new Verdict.Drop()), Bytes.EMPTY)
                : NftElement.of(key, noise(set.dataLength()));
    }

    /** A slot gets another endpoint, or a destination another number of endpoints. */
    private String moveElement(NftBatch batch) throws NetlinkException {
        NftSet set = anyFilledSet();
        NftElement element = any(kernel.elements(set.name()));
        batch.deleteElements(set.name(), List.of(element));
        if (element.data() instanceof MapData.Value) {
            batch.addElements(set.name(), List.of(NftElement.of(element.key(), noise(set.dataLength()))));
            return "leads " + element + " of " + set.name() + " elsewhere";
        }
        for (NftSet other : named()) {
            if (!other.name().equals(set.name()) && other.flags() == 0 && other.keyType() == set.keyType()) {
                batch.addElements(other.name(), List.of(NftElement.of(element.key())));
                return "moves " + element + " from " + set.name() + " to " + other.name();
            }
        }
        return "deletes " + element + " from " + set.name();
    }

    private String deleteRule(NftBatch batch) throws NetlinkException {
        NftRule rule = any(kernel.rules(table));
        batch.deleteRule(rule.chain(), rule.handle());
        return "deletes a rule of " + rule.chain();
    }

    private String deleteChain(NftBatch batch) throws NetlinkException {
        NftChain chain = any(kernel.chains(table));
        for (NftRule rule : kernel.rules(table)) {
            if (leadsTo(rule, chain.name().name()) && !rule.chain().equals(chain.name())) {
                batch.deleteRule(rule.chain(), rule.handle());
            }
        }
        for (NftSet set : named()) {
            if (set.dataType() == NftType.VERDICT.number()) {
                for (NftElement element : kernel.elements(set.name())) {
                    if (element.data()
                            .equals(new MapData.Does(
                                    new Verdict.Goto(chain.name().name())))) {
                        batch.deleteElements(set.name(), List.of(element));
                    }
                }
            }
        }
        batch.flush(chain.name()).delete(chain.name());
        return "deletes " + chain;
    }

    private String deleteSet(NftBatch batch) throws NetlinkException {
        NftSet set = any(named());
        for (NftRule rule : kernel.rules(table)) {
            if (rule.expressions().stream().anyMatch(expression -> uses(expression, set))) {
                batch.deleteRule(rule.chain(), rule.handle());
            }
        }
        batch.delete(set.name());
        return "deletes set " + set.name();
    }

    private static boolean uses(NftExpr expression, NftSet set) {
        return (expression instanceof Lookup lookup
                        && lookup.set().equals(set.name().name()))
                || (expression instanceof io.dualstackd.netlink.nft.expr.Dynset dynset
                        && dynset.set().equals(set.name().name()));
    }

    private static boolean leadsTo(NftRule rule, String chain) {
        return rule.expressions().contains(new VerdictExpr(new Verdict.Goto(chain)))
                || rule.expressions().contains(new VerdictExpr(new Verdict.Jump(chain)));
    }

    private String strayChain(NftBatch batch) throws NetlinkException {
        String name = random.nextBoolean() ? "service-X-ns/svc1/tcp/p" : "stray";
        batch.add(
                random.nextBoolean()
                        ? NftChain.of(table.chain(name), new NftHook("filter", NftHook.PREROUTING, -300))
                        : NftChain.of(table.chain(name)));
        String to = any(kernel.chains(table)).name().name();
        if (!to.equals(name)) {
            batch.append(NftRule.of(table.chain(name), new VerdictExpr(new Verdict.Jump(to))));
        }
        return "adds chain " + name + " that jumps to " + to;
    }

    private String strayRule(NftBatch batch) throws NetlinkException {
        NftChain chain = any(kernel.chains(table));
        NftRule rule = NftRule.of(chain.name(), new VerdictExpr(new Verdict.Accept()));
        if (random.nextBoolean()) {
            batch.append(rule);
        } else {
            batch.prepend(rule);
        }
        return "adds a rule to " + chain;
    }

    private String straySet(NftBatch batch) {
        String name = any(List.of("stray", "service-ips-77", "service-ips-007", "node-ports-3", "affinity-X-stray"));
        NftSet set = NftSet.set(table.set(name), NftType.address(family()));
        batch.add(set);
        batch.addElements(set.name(), List.of(NftElement.of(noise(set.keyLength()))));
        return "adds set " + name;
    }

    /** Changes the policy of a base chain to drop: unlike its hook and type, the kernel lets it be changed. */
    private String setPolicyDrop(NftBatch batch) throws NetlinkException {
        NftChain chain = any(kernel.chains(table).stream()
                .filter(each -> each.hook().isPresent())
                .toList());
        NftHook hook = chain.hook().orElseThrow();
        batch.add(NftChain.of(
                chain.name(), new NftHook(hook.type(), hook.number(), hook.priority(), NftHook.DROP, List.of())));
        return "lets " + chain + " drop";
    }

    private IpFamily family() {
        return TableSets.name(IpFamily.IPV4).equals(table) ? IpFamily.IPV4 : IpFamily.IPV6;
    }

    private List<NftSet> named() throws NetlinkException {
        return kernel.sets(table).stream()
                .filter(set -> !set.has(NftSet.ANONYMOUS))
                .toList();
    }

    private NftSet anyFilledSet() throws NetlinkException {
        List<NftSet> sets = named();
        for (int attempt = 0; attempt < 100; attempt++) {
            NftSet set = any(sets);
            if (!kernel.elements(set.name()).isEmpty()) {
                return set;
            }
        }
        return any(sets);
    }

    private Bytes noise(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return Bytes.of(bytes);
    }

    private <T> T any(List<T> of) {
        return of.get(random.nextInt(of.size()));
    }
}
