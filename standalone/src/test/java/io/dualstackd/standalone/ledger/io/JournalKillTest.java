package io.dualstackd.standalone.ledger.io;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.kubeapi.store.Update;
import io.dualstackd.standalone.ledger.Entry;
import io.dualstackd.standalone.ledger.LedgerFixture;
import io.dualstackd.standalone.serviceapi.ServiceFields;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process that allocates addresses is killed at random moments; all it had acknowledged is there, and nothing is allocated twice. */
@Tag("kernel")
final class JournalKillTest {
    private static final int LIVES = 4;

    @TempDir
    private Path state;

    /** The process: prints a line for each Service that is in force, and for each that is gone, once {@code settle} has returned. */
    static final class Child {
        private Child() {}

        public static void main(String[] arguments) throws IOException {
            int seed = Integer.parseInt(arguments[1]);
            Random random = new Random(seed);
            try (ServiceLedger ledger = ServiceLedger.open(
                    Journal.open(Path.of(arguments[0])),
                    LedgerFixture.settings(LedgerFixture.DUAL),
                    random,
                    InstantSource.system())) {
                ledger.admit(List.of());
                System.out.println("ready");
                for (int i = 0; i < 100_000; i++) {
                    String name = "s" + random.nextInt(40);
                    boolean gone = random.nextInt(3) == 0;
                    // The parent treats this request as undecided until the next line.
                    System.out.println("doing " + name);
                    ledger.admit(
                            gone
                                    ? List.of(new Update.Gone(LedgerFixture.service(name)))
                                    : LedgerFixture.updates(
                                            LedgerFixture.yaml(name, "ipFamilyPolicy: PreferDualStack")));
                    System.out.println((gone ? "gone " : "there ") + name + " " + ips(ledger, name));
                }
            }
        }

        private static String ips(ServiceLedger ledger, String name) {
            return ledger.view().entries().stream()
                    .filter(entry -> entry.key().equals(LedgerFixture.service(name)))
                    .map(JournalKillTest::ipsOf)
                    .findFirst()
                    .orElse("");
        }
    }

    private static String ipsOf(Entry entry) {
        ServiceFields fields = ServiceFields.of(((Entry.ServiceEntry) entry).object());
        return String.join(",", fields.families().clusterIps());
    }

    @Test
    void acknowledgedAllocationsSurviveAndStayUnique() throws IOException, InterruptedException {
        Random random = new Random();
        Map<String, String> acknowledged = new HashMap<>();
        for (int life = 0; life < LIVES; life++) {
            String open = run(random.nextInt(1_000), 50 + random.nextInt(400), acknowledged);
            check(acknowledged, open);
        }
        assertThat(acknowledged).isNotEmpty();
    }

    /** @return the Service that was being worked on at the end */
    private String run(int seed, int lines, Map<String, String> acknowledged) throws IOException, InterruptedException {
        Process child = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-Xshare:auto",
                        "--enable-native-access=ALL-UNNAMED",
                        "--sun-misc-unsafe-memory-access=allow",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Child.class.getName(),
                        state.toString(),
                        Integer.toString(seed))
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        List<String> output = new ArrayList<>();
        try (BufferedReader out = child.inputReader()) {
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                output.add(line);
                if (output.size() == lines) {
                    // It goes on meanwhile, so this hits it anywhere.
                    child.toHandle().destroyForcibly();
                }
            }
        }
        child.waitFor();
        assertThat(output.size()).as(output.toString()).isGreaterThanOrEqualTo(lines);
        String open = "";
        for (String line : output) {
            String[] words = line.split(" ", -1);
            switch (words[0]) {
                case "doing" -> open = words.length > 1 ? words[1] : "";
                case "there" -> {
                    // The last line may have been cut off.
                    if (words.length == 3 && words[2].matches("10\\.96\\.0\\.\\d+,fd00:96::\\S+")) {
                        acknowledged.put(words[1], words[2]);
                    }
                }
                case "gone" -> acknowledged.remove(words[1]);
                default -> {}
            }
        }
        return open;
    }

    private void check(Map<String, String> acknowledged, String open) throws IOException {
        Map<String, String> found = new HashMap<>();
        Set<String> ips = new HashSet<>();
        try (Journal journal = Journal.open(state)) {
            for (Entry entry : journal.entries()) {
                if (entry instanceof Entry.ServiceEntry service) {
                    String both = ipsOf(service);
                    found.put(service.key().name(), both);
                    assertThat(ips.addAll(List.of(both.split(",", -1)))).isTrue();
                    for (String ip : both.split(",", -1)) {
                        assertThat(journal.entries())
                                .anyMatch(other -> other instanceof Entry.AddressEntry address
                                        && address.address().ip().toString().equals(ip)
                                        && address.address()
                                                .parent()
                                                .name()
                                                .equals(service.key().name()));
                    }
                }
            }
        }
        assertThat(ips).hasSize(found.size() * 2);
        Map<String, String> expected = new HashMap<>(acknowledged);
        expected.remove(open);
        Map<String, String> others = new HashMap<>(found);
        others.remove(open);
        assertThat(others).isEqualTo(expected);
        // What the killed process was at is whatever it is now.
        acknowledged.clear();
        acknowledged.putAll(found);
    }
}
