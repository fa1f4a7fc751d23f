package io.dualstackd.standalone.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.kubeapi.objects.Manifests;
import io.dualstackd.kubeapi.objects.ObjectKey;
import io.dualstackd.kubeapi.objects.Service;
import io.dualstackd.kubeapi.store.Update;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class ManifestIndexTest {
    private final ManifestIndex manifestIndex = new ManifestIndex(Map.of());

    static String service(String name, String ip) {
        return "---\napiVersion: v1\nkind: Service\nmetadata: {name: " + name + "}\nspec: {clusterIP: " + ip
                + ", ports: [{port: 80}]}\n";
    }

    private List<String> put(String file, String... documents) {
        return text(manifestIndex.put(file, Manifests.decode(file, String.join("", documents))));
    }

    private static List<String> text(List<Update> updates) {
        return updates.stream()
                .map(update -> switch (update) {
                    case Update.Put(Service s) ->
                        s.name() + "=" + s.clusterIps().getFirst();
                    case Update.Put(var other) -> other.key().toString();
                    case Update.Gone(var key) -> key.name() + " gone";
                })
                .toList();
    }

    private List<String> problems() {
        return manifestIndex.problems().stream().map(Object::toString).toList();
    }

    @Test
    void newChangedAndGone() {
        assertThat(put("a.yaml", service("x", "10.0.0.1"), service("y", "10.0.0.2")))
                .containsExactly("x=10.0.0.1", "y=10.0.0.2");
        assertThat(put("a.yaml", service("x", "10.0.0.1"), service("y", "10.0.0.3")))
                .containsExactly("y=10.0.0.3");
        assertThat(put("a.yaml", service("x", "10.0.0.1"))).containsExactly("y gone");
        assertThat(text(manifestIndex.remove("a.yaml"))).containsExactly("x gone");
        assertThat(manifestIndex.remove("a.yaml")).isEmpty();
    }

    @Test
    void claimsInForceDoNotDependOnFileNames() {
        assertThat(put("b.yaml", service("x", "10.0.0.2"))).containsExactly("x=10.0.0.2");
        assertThat(put("c.yaml", service("x", "10.0.0.3"))).isEmpty();
        assertThat(put("a.yaml", service("x", "10.0.0.1"))).isEmpty();
        assertThat(problems())
                .containsExactly(
                        "a.yaml:2 (document 1): Service default/x is already defined at b.yaml:2 (document 1), "
                                + "which stays in force; remove one of the two (Service default/x)",
                        "c.yaml:2 (document 1): Service default/x is already defined at b.yaml:2 (document 1), "
                                + "which stays in force; remove one of the two (Service default/x)");
        assertThat(manifestIndex.holders(new ObjectKey(ObjectKey.Kind.SERVICE, "default", "x")))
                .containsExactly("b.yaml", "a.yaml", "c.yaml");
        assertThat(put("b.yaml", service("x", "10.0.0.4"))).containsExactly("x=10.0.0.4");
        assertThat(text(manifestIndex.remove("b.yaml"))).containsExactly("x=10.0.0.1");
        assertThat(text(manifestIndex.remove("c.yaml"))).isEmpty();
        assertThat(problems()).isEmpty();
    }

    @Test
    void rememberedClaimsAreInForceAfterRestart() {
        put("b.yaml", service("x", "10.0.0.2"));
        put("a.yaml", service("x", "10.0.0.1"));
        ManifestIndex restarted = new ManifestIndex(manifestIndex.toRemember());
        restarted.put("a.yaml", Manifests.decode("a.yaml", service("x", "10.0.0.1")));
        assertThat(text(restarted.put("b.yaml", Manifests.decode("b.yaml", service("x", "10.0.0.2")))))
                .containsExactly("x=10.0.0.2");
        restarted.started();
        assertThat(restarted.toRemember()).containsExactly(Map.entry("Service default/x", "b.yaml"));
    }

    @Test
    void aTrialChangesNothing() {
        put("b.yaml", service("x", "10.0.0.2"));
        put("a.yaml", service("x", "10.0.0.1"));
        ManifestIndex.Version a = manifestIndex.version("a.yaml");
        ManifestIndex.Version b = manifestIndex.version("b.yaml");
        put("b.yaml", service("y", "10.0.0.3"));
        assertThat(put("a.yaml", service("x", "10.0.0.9"))).containsExactly("x=10.0.0.9");
        manifestIndex.restore("a.yaml", a);
        manifestIndex.restore("b.yaml", b);
        assertThat(manifestIndex.toRemember()).containsExactly(Map.entry("Service default/x", "b.yaml"));
        assertThat(put("b.yaml", service("x", "10.0.0.5"))).containsExactly("x=10.0.0.5");
    }

    @Test
    void aRefusedObjectKeepsItsLastGoodState() {
        put("a.yaml", service("x", "10.0.0.1"), service("y", "10.0.0.2"), service("z", "10.0.0.3"));
        assertThat(put("a.yaml", service("x", "10.0.0.9"), service("y", "not-an-ip")))
                .containsExactly("x=10.0.0.9", "z gone");
        assertThat(problems()).hasSize(1).first().asString().contains("spec.clusterIP");
        assertThat(put("a.yaml", service("x", "10.0.0.9"), service("y", "10.0.0.5")))
                .containsExactly("y=10.0.0.5");
        assertThat(problems()).isEmpty();
    }

    @Test
    void whenItIsUnclearWhatIsBrokenNothingGoes() {
        put("a.yaml", service("x", "10.0.0.1"), service("y", "10.0.0.2"));
        assertThat(put("a.yaml", service("x", "10.0.0.9"), "---\nkind: [\n")).containsExactly("x=10.0.0.9");
        assertThat(put("a.yaml", "---\nkind: [\n")).isEmpty();
        assertThat(put("a.yaml", service("x", "10.0.0.9"))).containsExactly("y gone");
    }

    @Test
    void fileBrokenSinceStartHasNoObjects() {
        assertThat(put("a.yaml", service("x", "nonsense"))).isEmpty();
        assertThat(put("a.yaml", service("x", "10.0.0.1"))).containsExactly("x=10.0.0.1");
    }
}
