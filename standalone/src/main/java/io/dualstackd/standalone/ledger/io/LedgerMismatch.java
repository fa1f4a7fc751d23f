package io.dualstackd.standalone.ledger.io;

import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.standalone.ledger.Entry;
import io.dualstackd.standalone.ledger.LedgerSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Thrown when the ledger does not match the flags, or the flags do not match each other. Nothing was changed. */
public final class LedgerMismatch extends IOException {
    private static final long serialVersionUID = 1;

    /** @param message names the flags, for people */
    public LedgerMismatch(String message) {
        super(message);
    }

    /** Checks that the primary family is unchanged: otherwise Services that name no family would get another one than before. */
    static void check(LedgerSettings settings, List<Entry> entries, Path file) throws LedgerMismatch {
        for (Entry entry : entries) {
            if (entry instanceof Entry.CidrEntry cidr
                    && cidr.key().name().equals("kubernetes")
                    && !cidr.cidrs().isEmpty()) {
                IpFamily stored = cidr.cidrs().getFirst().family();
                IpFamily wanted = settings.families().getFirst();
                if (stored != wanted) {
                    throw new LedgerMismatch("--service-cluster-ip-range makes " + wanted
                            + " the primary IP family, but the Services in " + file + " were given addresses with "
                            + stored
                            + " as the primary one, and that cannot change: name the " + stored
                            + " range first, or start afresh by moving the file away");
                }
            }
        }
    }

    /**
     * Checks that no ledger with Services is left: Services that were given addresses would stop working if they were taken as they are
     * written.
     *
     * @param state the state directory of a daemon without configured ranges
     * @throws LedgerMismatch when Services with addresses are recorded there
     */
    public static void checkUnused(Path state) throws IOException {
        Path file = Journal.fileIn(state);
        String held;
        try {
            long services = JournalReader.read(file).entries().values().stream()
                    .filter(Entry.ServiceEntry.class::isInstance)
                    .count();
            if (services == 0) {
                return;
            }
            held = services + (services == 1 ? " Service" : " Services")
                    + " with the cluster IPs and node ports given to" + (services == 1 ? " it" : " them");
        } catch (LedgerDamaged e) {
            held = "data that cannot be read (" + e.getMessage() + ")";
        }
        throw new LedgerMismatch("--service-cluster-ip-range is not given, but the ledger " + file + " holds " + held
                + ", all of which would go out of service: start with --service-cluster-ip-range as before,"
                + " or give the ledger up by moving the file away");
    }
}
