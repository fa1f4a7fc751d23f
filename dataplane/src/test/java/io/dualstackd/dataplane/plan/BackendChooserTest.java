package io.dualstackd.dataplane.plan;

import static io.dualstackd.dataplane.model.ServiceViewBuilder.service;
import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.model.EndpointText;
import io.dualstackd.dataplane.model.ServiceViewBuilder;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The truth table of endpoint selection. */
final class BackendChooserTest {
    private static final String PREFIX = "10.0.0";

    /** The columns: node is "zone/name"; endpoints as in {@link EndpointText}; "any" is whether endpoints serve anywhere. */
    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', ignoreLeadingAndTrailingWhitespace = true, textBlock = """
            # name                             | node      | service       | endpoints                                 | cluster        | local | reachable   | any
            1 zone hints                       | a/node-1  | plain         | .3 Za, .4 Zb, .5 Zc, .6 Za                | .3 .6          | –     | .3 .6       | yes
            2 hints do not bind eTP Local      | a/node-1  | np etp        | .3 Za l, .4 Zb l, .5 Zc, .6 Za            | .3 .6          | .3 .4 | .3 .4 .6    | yes
            3 hints do not bind iTP Local      | a/node-1  | np itp        | .3 Za l, .4 Zb l, .5 Zc, .6 Za            | .3 .6          | .3 .4 | .3 .4 .6    | yes
            4a node without zone               | /node-1   | plain         | .3 Za                                     | .3             | –     | .3          | yes
            4b no hint for my zone             | b/node-1  | plain         | .3 Za                                     | .3             | –     | .3          | yes
            5 unready hinted endpoint          | a/node-1  | plain         | .3 Za, .4 Zb, .5 Zc, .6 Za u              | .3             | –     | .3          | yes
            6 all hinted to me unready         | a/node-1  | plain         | .3 Za u, .4 Zb, .5 Zc, .6 Za u            | .4 .5          | –     | .4 .5       | yes
            7 one endpoint without hint        | a/node-1  | plain         | .3 Za, .4 Zb, .5, .6 Za                   | .3 .4 .5 .6    | –     | .3 .4 .5 .6 | yes
            8 several zones in a hint          | c/node-1  | plain         | .3 Zabc, .4 Zbc, .5 Zbd, .6 Zc            | .3 .4 .6       | –     | .3 .4 .6    | yes
            9 node hints withheld              | a/node-1  | plain         | .3 Za, .4 Zb, .5 Zc, .6 Za                | .3 .6          | –     | .3 .6       | yes
            10 node hints                      | a/node-1  | plain         | .3 Za N1, .4 Zb N2, .5 Zc N3, .6 Za N4    | .3             | –     | .3          | yes
            11 one without any hint            | a/node-1  | plain         | .3 Za N1, .4, .5 Zc N3, .6 Za N4          | .3 .4 .5 .6    | –     | .3 .4 .5 .6 | yes
            12 no hint for my node: zone       | a/node-0  | plain         | .3 Za N1, .4 Zb N2, .5 Zc N3, .6 Za N4    | .3 .6          | –     | .3 .6       | yes
            13 zone and eTP Local              | a/node-1  | np etp        | .0 Za l, .1 Zb l, .2 Za, .3 Zb            | .0 .2          | .0 .1 | .0 .1 .2    | yes
            14 iTP Local, none                 | /node-1   | itp           | –                                         | –              | –     | –           | no
            15 iTP Local, remote only          | /node-1   | itp           | .0, .1                                    | –              | –     | –           | yes
            16 iTP Local, local only           | /node-1   | itp           | .0 l, .1 l                                | –              | .0 .1 | .0 .1       | yes
            17 iTP Local, both                 | /node-1   | itp           | .0 l, .1                                  | –              | .0    | .0          | yes
            18 all unready                     | /node-1   | plain         | .0 u, .1 u                                | –              | –     | –           | no
            19 one unready                     | /node-1   | plain         | .0 u, .1                                  | .1             | –     | .1          | yes
            20 all terminating                 | /node-1   | plain         | .0 T l, .1 T                              | .0 .1          | –     | .0 .1       | yes
            21 iTP Local eTP Cluster           | /node-1   | np itp        | .0 l, .1                                  | .0 .1          | .0    | .0 .1       | yes
            22 iTP Cluster eTP Local           | /node-1   | np etp        | .0 l, .1                                  | .0 .1          | .0    | .0 .1       | yes
            23 both Local                      | /node-1   | np itp etp    | .0 l, .1                                  | .0 .1          | .0    | .0 .1       | yes
            24 both Local, remote only         | /node-1   | np itp etp    | .0, .1                                    | .0 .1          | –     | .0 .1       | yes
            25 both Local, remote terminating  | /node-1   | np itp etp    | .0 T, .1 T                                | .0 .1          | –     | .0 .1       | yes
            26 local falls back on its own     | /node-1   | np etp        | .0, .1 X l, .2 T l, .3 T                  | .0             | .2    | .0 .2       | yes
            27 eTP Local, nothing external     | /node-1   | etp           | .0, .1 l                                  | .0 .1          | –     | .0 .1       | yes
            28 iTP Local only                  | /node-1   | itp           | .0, .1 l                                  | –              | .1    | .1          | yes
            29 unready only                    | a/node-1  | plain         | .0 u                                      | –              | –     | –           | no
            a terminating, serving no more     | /node-1   | plain         | .0 X, .1 X l                              | –              | –     | –           | no
            b fallback ignores hints           | a/node-1  | plain         | .0 T Za, .1 T Zb                          | .0 .1          | –     | .0 .1       | yes
            c one without node hint: zone      | a/node-1  | plain         | .3 Za N1, .4 Zb, .5 Zc N3, .6 Za N4       | .3 .6          | –     | .3 .6       | yes
            d iTP Local, all elsewhere dying   | /node-1   | itp           | .0 T, .1 X                                | –              | –     | –           | yes
            """)
    void chooses(
            String name,
            String node,
            String service,
            String endpoints,
            String cluster,
            String local,
            String reachable,
            String any) {
        String[] zoneAndName = node.split("/", 2);
        ServiceViewBuilder given = service("svc", "172.30.0.41").endpoints(EndpointText.parse(endpoints, PREFIX, 80));
        List<String> words = List.of(service.split(" "));
        if (words.contains("np")) {
            given.nodePort(30080);
        }
        if (words.contains("itp")) {
            given.internalLocal();
        }
        if (words.contains("etp")) {
            given.externalLocal();
        }

        var choice = new BackendChooser(new TopologyHints(zoneAndName[1], zoneAndName[0])).choose(given.portView());

        assertThat(text(choice.cluster())).as("cluster").isEqualTo(cluster);
        assertThat(text(choice.local())).as("local").isEqualTo(local);
        assertThat(text(choice.reachable())).as("reachable").isEqualTo(reachable);
        assertThat(choice.hasEndpoints()).as("any").isEqualTo(any.equals("yes"));
    }

    private static String text(List<Backend> backends) {
        return backends.isEmpty()
                ? "–"
                : backends.stream()
                        .map(backend -> backend.address().ip().toString().substring(PREFIX.length()))
                        .collect(Collectors.joining(" "));
    }
}
