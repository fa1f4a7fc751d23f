package io.dualstackd.netlink.sys;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** In namespaces of the test's own. */
@Tag("kernel")
final class NetNsLockTest {
    private static final String NAME = "dualstackd-lock-test";
    private static final int OFTEN = 200;

    @Test
    void oneAtATimeInANamespaceHasIt() throws Exception {
        try (NetNs ns = NetNs.create();
                NetNs other = NetNs.create()) {
            assertThat(NetNsLock.holder(ns, NAME)).isEmpty();
            try (NetNsLock first = NetNsLock.tryTake(ns, NAME, "the first").orElseThrow()) {
                assertThat(NetNsLock.tryTake(ns, NAME, "the second")).isEmpty();
                assertThat(NetNsLock.holder(ns, NAME))
                        .contains(new NetNsLock.Holder(
                                (int) ProcessHandle.current().pid(), ownUser(), "the first"));
                assertThat(first).isNotNull();
                NetNsLock.tryTake(other, NAME, "").orElseThrow().close();
                NetNsLock.tryTake(ns, NAME + "-2", "").orElseThrow().close();
            }
            NetNsLock.tryTake(ns, NAME, "again").orElseThrow().close();
        }
    }

    /** More often than connections may wait to be accepted. */
    @Test
    void holderCanBeQueriedRepeatedly() throws Exception {
        try (NetNs ns = NetNs.create();
                NetNsLock held = NetNsLock.tryTake(ns, NAME, "note").orElseThrow()) {
            assertThat(held).isNotNull();
            for (int i = 0; i < OFTEN; i++) {
                assertThat(NetNsLock.holder(ns, NAME))
                        .hasValueSatisfying(holder -> assertThat(holder.note()).isEqualTo("note"));
            }
        }
    }

    /** It takes the lock where the test wants it, and ends without giving it back. */
    static final class TakesAndDies {
        private TakesAndDies() {}

        public static void main(String[] arguments) throws Exception {
            try (NetNs ns = NetNs.current()) {
                boolean taken = NetNsLock.tryTake(ns, NAME, "").isPresent();
                Runtime.getRuntime().halt(taken ? 0 : 1);
            }
        }
    }

    @Test
    void itIsFreeWhenItsProcessEndsHoweverItEnds() throws Exception {
        try (NetNs ns = NetNs.create()) {
            String path =
                    "/proc/" + ProcessHandle.current().pid() + "/fd/" + ns.fd().number();
            List<String> there = List.of("nsenter", "--net=" + path);
            assertThat(ChildJvm.run(there, List.of(), TakesAndDies.class)).isEmpty();
            Optional<NetNsLock> next = NetNsLock.tryTake(ns, NAME, "");
            assertThat(next).isPresent();
            next.get().close();
        }
    }

    private static int ownUser() throws Exception {
        return (Integer) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
    }
}
