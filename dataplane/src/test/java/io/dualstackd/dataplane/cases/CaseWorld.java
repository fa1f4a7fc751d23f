package io.dualstackd.dataplane.cases;

import io.dualstackd.dataplane.cases.CaseFile.Block;
import io.dualstackd.dataplane.model.NodeView;
import io.dualstackd.dataplane.model.PortView;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.model.ServiceView;
import io.dualstackd.dataplane.plan.NodePlan;
import io.dualstackd.dataplane.plan.NodePlanner;
import io.dualstackd.dataplane.plan.ServicePlan;
import io.dualstackd.dataplane.plan.ServicePlanner;
import io.dualstackd.dataplane.rules.iptables.Fragment;
import io.dualstackd.dataplane.rules.iptables.Frame;
import io.dualstackd.dataplane.rules.iptables.FrameCompiler;
import io.dualstackd.dataplane.rules.iptables.Ruleset;
import io.dualstackd.dataplane.rules.iptables.ServiceCompiler;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** The node and the Services of a scene, as the steps so far left them. */
final class CaseWorld {
    private final Map<String, String> node = new HashMap<>();
    private final SortedMap<String, Map<String, String>> ports = new TreeMap<>();
    /** Whether an earlier step of the scene needed the guard before 127.0.0.0/8, which stays. */
    private boolean guarded;

    /** Does a step; blocks that only look are passed over. */
    void take(Block block) {
        String object = block.object();
        switch (block.verb()) {
            case "node" -> {
                node.clear();
                ports.clear();
                node.putAll(CaseWords.nodeProperties(block.body()));
                guarded = NodePlanner.plan(node()).guardLoopback();
            }
            case "service" -> ports.put(object, CaseWords.portProperties(block.body()));
            case "change" -> {
                if (object.equals("node")) {
                    node.putAll(CaseWords.nodeProperties(block.body()));
                    guarded |= NodePlanner.plan(node()).guardLoopback();
                } else {
                    known(object).putAll(CaseWords.portProperties(block.body()));
                }
            }
            case "delete" -> {
                known(object);
                ports.remove(object);
            }
            default -> {}
        }
    }

    private Map<String, String> known(String port) {
        Map<String, String> properties = ports.get(port);
        if (properties == null) {
            throw new IllegalArgumentException("there is no " + port);
        }
        return properties;
    }

    NodeView node() {
        return CaseWords.node(node);
    }

    List<ServiceView> services() {
        SortedMap<ServiceKey, List<PortView>> views = new TreeMap<>();
        ports.forEach((name, properties) -> {
            PortView view = CaseWords.port(name, properties);
            views.computeIfAbsent(view.port().name().service(), ignored -> new ArrayList<>())
                    .add(view);
        });
        return views.entrySet().stream()
                .map(entry -> new ServiceView(entry.getKey(), node().family(), entry.getValue()))
                .toList();
    }

    List<ServicePlan> plans() {
        ServicePlanner planner = new ServicePlanner(node());
        return services().stream().map(planner::plan).toList();
    }

    Frame frame() {
        NodePlan plan = NodePlanner.plan(node());
        return FrameCompiler.compile(guarded ? plan.withGuard() : plan);
    }

    List<Fragment> fragments() {
        NodePlan nodePlan = NodePlanner.plan(node());
        return plans().stream()
                .map(plan -> ServiceCompiler.compile(plan, nodePlan))
                .toList();
    }

    Ruleset rules() {
        return Ruleset.of(node().family(), frame(), fragments());
    }
}
