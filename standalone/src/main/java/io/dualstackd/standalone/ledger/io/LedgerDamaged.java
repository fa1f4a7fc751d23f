package io.dualstackd.standalone.ledger.io;

import java.io.IOException;
import java.nio.file.Path;

/** Thrown when a journal contains data that was never written so. It is not changed: the administrator has to decide what to do with it. */
public final class LedgerDamaged extends IOException {
    private static final long serialVersionUID = 1;

    private LedgerDamaged(String message) {
        super(message);
    }

    /** @param why what is wrong there */
    static LedgerDamaged at(Path file, long offset, long size, String why) {
        return new LedgerDamaged("the ledger " + file + " is damaged at byte " + offset + " of " + size + ": " + why
                + ". Nothing was changed. Either restore the file from a backup and start again; or start afresh: move it away"
                + " (mv " + file + " " + file + ".damaged), and every Service gets new cluster IPs and node ports,"
                + " except where its manifest names them");
    }
}
