package io.dualstackd.supervision;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * What a test waits for may take long on a machine that does much else; only a failure takes as long as this. JUnit finds it by the services of this
 * module, in every module whose tests use those of this one.
 */
public final class LongWaits implements BeforeAllCallback {
    private static final Duration TIMEOUT = Duration.ofMinutes(1);

    @Override
    public void beforeAll(ExtensionContext context) {
        Awaitility.setDefaultTimeout(TIMEOUT);
    }
}
