package io.dualstackd.pages.health.io;

import io.dualstackd.pages.health.Listening;
import java.io.IOException;

/** Answers HTTP on any number of addresses: {@link HttpLoop} through sockets. */
public interface HttpListeners extends AutoCloseable {
    /**
     * Starts to listen.
     *
     * @throws IOException when the address is in use or does not exist
     */
    Listener listen(Listening where, HttpHandler handler) throws IOException;

    /** Ends all listeners and connections. */
    @Override
    void close();

    /** One address that is listened on; closing it leaves established connections alone. */
    interface Listener extends AutoCloseable {
        /** The port it listens on. */
        int port();

        @Override
        void close();
    }
}
