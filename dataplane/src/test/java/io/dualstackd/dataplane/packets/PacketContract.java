package io.dualstackd.dataplane.packets;

import io.dualstackd.dataplane.model.ProxyMode;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

/** A laboratory and the data plane that programs its node, both shared by all tests of a class. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class PacketContract {
    private Lab lab;
    private DataplaneUnderTest dataplane;

    /** The mode the class under test programs. */
    protected abstract ProxyMode mode();

    /** A data plane for the node of the laboratory; closed after all tests. */
    protected abstract DataplaneUnderTest open(Lab lab) throws Exception;

    @BeforeAll
    void build() throws Exception {
        lab = Lab.open();
        dataplane = open(lab);
    }

    @AfterAll
    void tearDown() throws Exception {
        dataplane.close();
        lab.close();
    }

    Lab lab() {
        return lab;
    }

    DataplaneUnderTest dataplane() {
        return dataplane;
    }
}
