package io.dualstackd.agent.host.io;

import io.dualstackd.netlink.sys.NetNs;
import io.dualstackd.netlink.sys.Sysctl;
import java.io.IOException;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Changes kernel settings of a network namespace. A setting that already has its value is not written; the former value is remembered
 * before each write, so that {@code dualstackd cleanup} can restore it.
 *
 * @param memory empty where nothing may be kept on disk
 */
record KernelSettings(NetNs ns, Optional<FormerSettings> memory) {
    private static final Logger LOG = LoggerFactory.getLogger("dualstackd");

    /** Does not record former values. */
    static KernelSettings of(NetNs ns) {
        return new KernelSettings(ns, Optional.empty());
    }

    String read(String key) throws IOException {
        return Sysctl.read(ns, key);
    }

    /**
     * Sets a kernel setting.
     *
     * @param key as {@link Sysctl#read} expects it
     * @param why which part of the configuration requires it, for the log
     * @throws IOException when it cannot be read or written
     */
    void set(String key, String value, String why) throws IOException {
        String before = Sysctl.read(ns, key);
        if (before.equals(value)) {
            return;
        }
        // Before the write: a daemon that is killed in between has remembered a change that was not made, which is
        // harmless.
        memory.ifPresent(settings -> remember(settings, key, before, value));
        try {
            Sysctl.write(ns, key, value);
        } catch (IOException e) {
            memory.ifPresent(settings -> remember(settings, key, value, before));
            throw e;
        }
        LOG.info("setting changed key={} value={} was={} why={}", key, value, before, why);
    }

    private static void remember(FormerSettings settings, String key, String before, String value) {
        try {
            settings.remember(key, before, value);
        } catch (IOException e) {
            LOG.info(
                    "former value not recorded key={} reason=\"{}\" next=\"cleanup will leave the setting as it is\"",
                    key,
                    FileErrors.reason(e));
        }
    }
}
