package io.dualstackd.dataplane.io.ipvs;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.netlink.generic.GenericFamily;
import io.dualstackd.netlink.generic.GenericHeader;
import io.dualstackd.netlink.io.Answers;
import io.dualstackd.netlink.io.Arrival;
import io.dualstackd.netlink.io.IpvsClient;
import io.dualstackd.netlink.io.NetlinkConnection;
import io.dualstackd.netlink.io.ScriptedKernel;
import io.dualstackd.netlink.sys.Errno;
import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.NlMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Against a kernel that holds at most the virtual server of the check. */
final class IpvsSupportTest {
    // IPVS_CMD_NEW_SERVICE, IPVS_CMD_DEL_SERVICE
    private static final int NEW_SERVICE = 1;
    private static final int DEL_SERVICE = 3;

    private boolean there;

    /** A process that was killed during the check leaves its virtual server, which says nothing about the scheduler. */
    @ParameterizedTest
    @CsvSource({"false, true", "false, false", "true, true", "true, false"})
    void findsOutWhetherThereIsTheScheduler(boolean leftBehind, boolean scheduler) throws Exception {
        there = leftBehind;
        ScriptedKernel kernel = new ScriptedKernel(sent -> {
            List<Arrival> answers = new ArrayList<>();
            for (NlMessage message : sent) {
                answers.add(refused(command(message), scheduler)
                        .<Arrival>map(errno -> Answers.refusal(message.sequence(), errno))
                        .orElseGet(() -> Answers.ack(message.sequence())));
            }
            return answers;
        });
        try (IpvsClient client = new IpvsClient(new NetlinkConnection(kernel), new GenericFamily("IPVS", 28, 1))) {
            assertThat(IpvsSupport.probe(client, "mh").isEmpty()).isEqualTo(scheduler);
        }
        assertThat(there).as("the server of the check").isFalse();
    }

    private Optional<Errno> refused(int command, boolean scheduler) {
        boolean before = there;
        return switch (command) {
            case NEW_SERVICE -> {
                there |= scheduler;
                Errno error = before ? Errno.EEXIST : Errno.ENOENT;
                yield before || !scheduler ? Optional.of(error) : Optional.empty();
            }
            case DEL_SERVICE -> {
                there = false;
                yield before ? Optional.empty() : Optional.of(Errno.ESRCH);
            }
            default -> Optional.of(Errno.EINVAL);
        };
    }

    private static int command(NlMessage message) {
        try {
            return GenericHeader.read(message.body("IPVS")).command();
        } catch (DecodeException e) {
            throw new IllegalStateException(e);
        }
    }
}
