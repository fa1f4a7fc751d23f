package io.dualstackd.dataplane.io;

import io.dualstackd.dataplane.diff.ReadResult;
import io.dualstackd.dataplane.diff.elements.DirtyObjects;
import io.dualstackd.dataplane.diff.elements.ReadBack;
import io.dualstackd.dataplane.diff.elements.TableContent;
import io.dualstackd.dataplane.diff.elements.TableContent.Table;
import io.dualstackd.dataplane.model.Endpoint;
import io.dualstackd.dataplane.model.LocalDetector;
import io.dualstackd.dataplane.model.NodePortAddresses;
import io.dualstackd.dataplane.model.NodeView;
import io.dualstackd.dataplane.model.PortView;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.model.ServicePort;
import io.dualstackd.dataplane.model.ServicePortName;
import io.dualstackd.dataplane.model.ServiceView;
import io.dualstackd.dataplane.plan.Planner;
import io.dualstackd.dataplane.plan.ServicePlan;
import io.dualstackd.dataplane.rules.encoding.ExpressionPrint;
import io.dualstackd.netlink.io.NftOutcome;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPort;
import io.dualstackd.netlink.ip.Proto;
import io.dualstackd.netlink.nft.NftBatch;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Simulates changes with a made-up Service, so that the code is loaded and compiled when the first real ones come, which would
 * otherwise take ten times as long. A syncer of its own sends real transactions, each for a generation that never comes, so that the
 * kernel refuses them at once; that syncer then receives the answer that they were accepted.
 */
final class WarmUp {
    private static final int ENDPOINTS = 10;

    /** A generation that never occurs: the kernel counts from 1 on. */
    private static final int NEVER = -1;

    private final IpFamily family;
    private final NftablesSyncer syncer;
    private final ServiceKey key = new ServiceKey("dualstackd", "warm-up");

    WarmUp(IpFamily family, TableKernel kernel, ExpressionPrint print) {
        this.family = family;
        this.syncer = new NftablesSyncer(family, new Unchanging(family, kernel), print);
    }

    /** Ends early when {@code enough} returns true, or the kernel cannot be reached; returns the rounds that were run. */
    int run(int rounds, BooleanSupplier enough) {
        Planner planner = Planner.of(node());
        for (int round = 0; round < rounds; round++) {
            if (enough.getAsBoolean()) {
                return round;
            }
            Optional<ServicePlan> service =
                    round % 10 == 9 ? Optional.empty() : Optional.of(planner.plan(service(round)));
            if (syncer.run(planner, Set.of(key), new Only(service)).needsRetry()) {
                return round;
            }
        }
        return rounds;
    }

    private NodeView node() {
        return new NodeView(
                family,
                "warm-up",
                "",
                Optional.of(address(251)),
                List.of(),
                LocalDetector.NONE,
                NodePortAddresses.ALL,
                false,
                14,
                false,
                true,
                false,
                List.of());
    }

    /** A Service with different endpoints every time, and sometimes one more. The addresses are those reserved for documentation. */
    private ServiceView service(int round) {
        List<Endpoint> endpoints = new ArrayList<>();
        for (int i = 0; i < ENDPOINTS + (round % 5 == 4 ? 1 : 0); i++) {
            Ip ip = address(i == 3 ? 100 + round % 100 : 1 + i);
            endpoints.add(Endpoint.ready(new IpPort(ip, 9)));
        }
        ServicePort port = ServicePort.onClusterIp(new ServicePortName(key, "", Proto.TCP), address(250), 9);
        return new ServiceView(key, family, List.of(new PortView(port, endpoints)));
    }

    private Ip address(int n) {
        return switch (family) {
            case IPV4 -> Ip.parse("192.0.2." + n);
            case IPV6 -> Ip.parse("2001:db8::" + n);
        };
    }

    private record Only(Optional<ServicePlan> service) implements ServicePlans {
        @Override
        public Optional<ServicePlan> find(ServiceKey key) {
            return service;
        }

        @Override
        public void forEach(Consumer<ServicePlan> each) {
            service.ifPresent(each);
        }
    }

    /** A kernel without a table, which reports every transaction as accepted and changes nothing. */
    private record Unchanging(IpFamily family, TableKernel kernel) implements TableKernel {
        @Override
        public ReadResult<TableContent> read() {
            return new ReadResult.Found<>(TableContent.nothing(family, Table.MISSING));
        }

        @Override
        public ReadResult<ReadBack> readDirty(DirtyObjects dirtyObjects) {
            return new ReadResult.Failed<>("there is nothing to look at");
        }

        @Override
        public NftBatch begin() {
            return NftBatch.begin(NEVER);
        }

        @Override
        public NftBatch beginOnReading() {
            return begin();
        }

        @Override
        public NftOutcome commitAhead(NftBatch batch) {
            throw new IllegalStateException("one Service is never that much");
        }

        @Override
        public NftOutcome commitDryRun(NftBatch batch) {
            throw new IllegalStateException("a warm-up makes no dry run of its own");
        }

        @Override
        public NftOutcome commit(NftBatch batch) {
            return switch (kernel.commitDryRun(batch)) {
                case NftOutcome.Outdated ignored -> new NftOutcome.Applied(List.of(), Optional.empty());
                case NftOutcome.Applied ignored ->
                    throw new IllegalStateException("the kernel took what was meant for no version of the rules");
                case NftOutcome.Refused refused -> refused;
                case NftOutcome.Unreachable unreachable -> unreachable;
            };
        }

        @Override
        public boolean changedByOthers() {
            return false;
        }

        @Override
        public void close() {}
    }
}
