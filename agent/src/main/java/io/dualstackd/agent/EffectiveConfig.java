package io.dualstackd.agent;

import io.dualstackd.agent.config.ConfigResult;
import io.dualstackd.agent.config.ConfigText;
import io.dualstackd.agent.config.Given;
import io.dualstackd.agent.config.Key;
import io.dualstackd.agent.health.ShownConfig;
import io.dualstackd.agent.print.Shown;
import io.dualstackd.agent.print.TreeShown;
import io.dualstackd.agent.tree.Document;
import io.dualstackd.agent.tree.Tree;
import io.dualstackd.agent.tree.YamlText;
import java.util.TreeMap;

/** The configuration in force as its pages show it: the same that {@code --write-config-to} writes. */
final class EffectiveConfig {
    /** What kube-proxy calls its part of the page. */
    private static final String PART = "kubeproxy.config.k8s.io";

    private EffectiveConfig() {}

    static ShownConfig of(ConfigResult.Usable usable) {
        TreeMap<String, String> flags = new TreeMap<>();
        for (Key key : Key.values()) {
            Given given = usable.given().get(key);
            flags.put(
                    key.flag().replaceFirst("^--", ""),
                    given == null ? key.fallback() : given.text().strip());
        }
        return new ShownConfig(Shown.object().with(PART, file(usable)).json(), flags);
    }

    private static Shown file(ConfigResult.Usable usable) {
        return YamlText.documents(ConfigText.of(usable.given())).stream()
                .filter(document -> document instanceof Document.Parsed(int ignored, Tree.Mapping mapping))
                .map(document -> TreeShown.object((Tree.Mapping) ((Document.Parsed) document).tree()))
                .findFirst()
                .orElse(Shown.object());
    }
}
