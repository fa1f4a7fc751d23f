package io.dualstackd.kubeapi.client.io;

import io.dualstackd.kubeapi.client.Outage;
import io.dualstackd.kubeapi.client.ReflectorState;
import io.dualstackd.kubeapi.client.Resource;
import io.dualstackd.kubeapi.client.ResourceFailure;
import io.dualstackd.kubeapi.client.WatchOutcome;
import io.dualstackd.kubeapi.objects.ObjectKey;
import io.dualstackd.kubeapi.wire.raw.IgnoredValue;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs what happens to one resource: objects and values that cannot be used, and failures of the server. */
final class ReflectorLog {
    private static final Logger LOG = LoggerFactory.getLogger("cluster");

    private static final int MOST_REMARKS = 200;

    private final Resource resource;
    private final Outage outage;
    private final String server;
    private final InstantSource clock;
    /** Messages logged about invalid values: each is logged once, however often the object arrives. */
    private final Set<String> remarks = new HashSet<>();

    ReflectorLog(Resource resource, ReflectorContext around) {
        this.resource = resource;
        this.outage = around.outage();
        this.server = around.dialer().server().url();
        this.clock = around.platform().steady();
    }

    void unreadable(ObjectKey key, String why) {
        LOG.warn(
                "object cannot be used object=\"{}\" reason=\"{}\" next=\"its previous version stays in force\"",
                key,
                why);
    }

    void ignored(IgnoredValue value) {
        if (remarks.size() < MOST_REMARKS && remarks.add(value.toString())) {
            LOG.warn("value of an object ignored {}", value);
        }
    }

    /** A response is over. */
    void over(WatchOutcome watchOutcome, ReflectorState before, ReflectorState.Transition transition) {
        ReflectorState now = transition.reflectorState();
        LOG.debug(
                "response ended resource={} request={} outcome={} next={} pauseMs={}",
                resource.name(),
                before.listWatchRequest(),
                watchOutcome,
                now.listWatchRequest(),
                transition.pause().toMillis());
        if (now.wide() != before.wide()) {
            LOG.info("the API server cannot select {} by field; reading all of them", resource.name());
        } else if (!now.absent()) {
            ResourceFailure.of(resource, before.listWatchRequest(), before.format(), watchOutcome)
                    .ifPresent(failure ->
                            log(outage.failed(resource, failure, now.failures(), now.complete(), clock.instant())));
        } else if (!before.absent()) {
            LOG.info("the API server has no {}, or does not show it; going on without", resource.name());
        }
    }

    /** The resource can be read again. */
    void works() {
        log(outage.works(resource, clock.instant()));
    }

    private void log(List<Outage.Line> lines) {
        for (Outage.Line line : lines) {
            switch (line) {
                case Outage.Line.Begun(ResourceFailure failure) ->
                    LOG.warn(
                            "API server {} server={} reason=\"{}\" next=\"rules stay as they are; {}\"",
                            failure.reachable() ? "refuses" : "unreachable",
                            server,
                            failure.what(),
                            failure.next());
                case Outage.Line.Over(Duration after) ->
                    LOG.info("API server is back server={} seconds={}", server, after.toMillis() / 1e3);
            }
        }
    }
}
