package io.dualstackd.kubeapi.wire.raw;

/**
 * Tags of the fields that are read, as on the wire: number and wire type ({@code generated.proto} of Kubernetes' API packages; a number is
 * never reused for another field). A test compares all of them with upstream's definitions.
 */
public final class ProtoTag {
    private static final int VARINT = 0;
    private static final int BYTES = 2;

    // runtime: the envelope of whole responses and of objects in watch events.
    public static final int UNKNOWN_TYPE_META = 1 << 3 | BYTES;
    public static final int UNKNOWN_RAW = 2 << 3 | BYTES;
    public static final int TYPE_META_KIND = 2 << 3 | BYTES;
    public static final int RAW_EXTENSION_RAW = 1 << 3 | BYTES;

    // meta
    public static final int WATCH_EVENT_TYPE = 1 << 3 | BYTES;
    public static final int WATCH_EVENT_OBJECT = 2 << 3 | BYTES;
    public static final int LIST_META_RESOURCE_VERSION = 2 << 3 | BYTES;
    public static final int LIST_META_CONTINUE = 3 << 3 | BYTES;
    static final int OBJECT_META_NAME = 1 << 3 | BYTES;
    static final int OBJECT_META_NAMESPACE = 3 << 3 | BYTES;
    static final int OBJECT_META_UID = 5 << 3 | BYTES;
    static final int OBJECT_META_RESOURCE_VERSION = 6 << 3 | BYTES;
    static final int OBJECT_META_CREATION_TIMESTAMP = 8 << 3 | BYTES;
    static final int TIME_SECONDS = 1 << 3 | VARINT;
    static final int OBJECT_META_DELETION_TIMESTAMP = 9 << 3 | BYTES;
    static final int OBJECT_META_LABELS = 11 << 3 | BYTES;
    static final int OBJECT_META_ANNOTATIONS = 12 << 3 | BYTES;
    static final int STATUS_STATUS = 2 << 3 | BYTES;
    public static final int STATUS_MESSAGE = 3 << 3 | BYTES;
    public static final int STATUS_REASON = 4 << 3 | BYTES;
    public static final int STATUS_DETAILS = 5 << 3 | BYTES;
    public static final int STATUS_CODE = 6 << 3 | VARINT;
    public static final int STATUS_DETAILS_RETRY_AFTER_SECONDS = 5 << 3 | VARINT;

    /** An entry of any {@code map<string, string>}. */
    static final int ENTRY_KEY = 1 << 3 | BYTES;

    static final int ENTRY_VALUE = 2 << 3 | BYTES;

    // Fields of every kind's list and of every kind's object.
    public static final int LIST_METADATA = 1 << 3 | BYTES;
    public static final int LIST_ITEMS = 2 << 3 | BYTES;
    public static final int OBJECT_METADATA = 1 << 3 | BYTES;

    // core: Service
    static final int SERVICE_SPEC = 2 << 3 | BYTES;
    static final int SERVICE_STATUS = 3 << 3 | BYTES;
    static final int SERVICE_SPEC_PORTS = 1 << 3 | BYTES;
    static final int SERVICE_SPEC_SELECTOR = 2 << 3 | BYTES;
    static final int SERVICE_SPEC_CLUSTER_IP = 3 << 3 | BYTES;
    static final int SERVICE_SPEC_TYPE = 4 << 3 | BYTES;
    static final int SERVICE_SPEC_EXTERNAL_IPS = 5 << 3 | BYTES;
    static final int SERVICE_SPEC_SESSION_AFFINITY = 7 << 3 | BYTES;
    static final int SERVICE_SPEC_LOAD_BALANCER_SOURCE_RANGES = 9 << 3 | BYTES;
    static final int SERVICE_SPEC_EXTERNAL_TRAFFIC_POLICY = 11 << 3 | BYTES;
    static final int SERVICE_SPEC_HEALTH_CHECK_NODE_PORT = 12 << 3 | VARINT;
    static final int SERVICE_SPEC_PUBLISH_NOT_READY_ADDRESSES = 13 << 3 | VARINT;
    static final int SERVICE_SPEC_SESSION_AFFINITY_CONFIG = 14 << 3 | BYTES;
    static final int SERVICE_SPEC_CLUSTER_IPS = 18 << 3 | BYTES;
    static final int SERVICE_SPEC_IP_FAMILIES = 19 << 3 | BYTES;
    static final int SERVICE_SPEC_INTERNAL_TRAFFIC_POLICY = 22 << 3 | BYTES;
    static final int SERVICE_PORT_NAME = 1 << 3 | BYTES;
    static final int SERVICE_PORT_PROTOCOL = 2 << 3 | BYTES;
    static final int SERVICE_PORT_PORT = 3 << 3 | VARINT;
    static final int SERVICE_PORT_TARGET_PORT = 4 << 3 | BYTES;
    static final int SERVICE_PORT_NODE_PORT = 5 << 3 | VARINT;
    static final int INT_OR_STRING_TYPE = 1 << 3 | VARINT;
    static final int INT_OR_STRING_INT_VAL = 2 << 3 | VARINT;
    static final int INT_OR_STRING_STR_VAL = 3 << 3 | BYTES;
    static final int SESSION_AFFINITY_CONFIG_CLIENT_IP = 1 << 3 | BYTES;
    static final int CLIENT_IP_CONFIG_TIMEOUT_SECONDS = 1 << 3 | VARINT;
    static final int SERVICE_STATUS_LOAD_BALANCER = 1 << 3 | BYTES;
    static final int LOAD_BALANCER_STATUS_INGRESS = 1 << 3 | BYTES;
    static final int LOAD_BALANCER_INGRESS_IP = 1 << 3 | BYTES;
    static final int LOAD_BALANCER_INGRESS_IP_MODE = 3 << 3 | BYTES;

    // discovery: EndpointSlice
    static final int ENDPOINT_SLICE_ENDPOINTS = 2 << 3 | BYTES;
    static final int ENDPOINT_SLICE_PORTS = 3 << 3 | BYTES;
    static final int ENDPOINT_SLICE_ADDRESS_TYPE = 4 << 3 | BYTES;
    static final int ENDPOINT_ADDRESSES = 1 << 3 | BYTES;
    static final int ENDPOINT_CONDITIONS = 2 << 3 | BYTES;
    static final int ENDPOINT_NODE_NAME = 6 << 3 | BYTES;
    static final int ENDPOINT_HINTS = 8 << 3 | BYTES;
    static final int ENDPOINT_CONDITIONS_READY = 1 << 3 | VARINT;
    static final int ENDPOINT_CONDITIONS_SERVING = 2 << 3 | VARINT;
    static final int ENDPOINT_CONDITIONS_TERMINATING = 3 << 3 | VARINT;
    static final int ENDPOINT_HINTS_FOR_ZONES = 1 << 3 | BYTES;
    static final int ENDPOINT_HINTS_FOR_NODES = 2 << 3 | BYTES;
    static final int FOR_ZONE_NAME = 1 << 3 | BYTES;
    static final int FOR_NODE_NAME = 1 << 3 | BYTES;
    static final int ENDPOINT_PORT_NAME = 1 << 3 | BYTES;
    static final int ENDPOINT_PORT_PROTOCOL = 2 << 3 | BYTES;
    static final int ENDPOINT_PORT_PORT = 3 << 3 | VARINT;

    // core: Node
    static final int NODE_SPEC = 2 << 3 | BYTES;
    static final int NODE_STATUS = 3 << 3 | BYTES;
    static final int NODE_SPEC_POD_CIDR = 1 << 3 | BYTES;
    static final int NODE_SPEC_TAINTS = 5 << 3 | BYTES;
    static final int NODE_SPEC_POD_CIDRS = 7 << 3 | BYTES;
    static final int TAINT_KEY = 1 << 3 | BYTES;
    static final int NODE_STATUS_ADDRESSES = 5 << 3 | BYTES;
    static final int NODE_ADDRESS_TYPE = 1 << 3 | BYTES;
    static final int NODE_ADDRESS_ADDRESS = 2 << 3 | BYTES;

    // networking: ServiceCIDR
    static final int SERVICE_CIDR_SPEC = 2 << 3 | BYTES;
    static final int SERVICE_CIDR_SPEC_CIDRS = 1 << 3 | BYTES;

    // core: Pod
    static final int POD_SPEC = 2 << 3 | BYTES;
    static final int POD_STATUS = 3 << 3 | BYTES;
    static final int POD_SPEC_NODE_NAME = 10 << 3 | BYTES;
    static final int POD_SPEC_HOST_NETWORK = 11 << 3 | VARINT;
    static final int POD_STATUS_PHASE = 1 << 3 | BYTES;
    static final int POD_STATUS_HOST_IP = 5 << 3 | BYTES;
    static final int POD_STATUS_POD_IP = 6 << 3 | BYTES;
    static final int POD_STATUS_POD_IPS = 12 << 3 | BYTES;
    static final int POD_STATUS_HOST_IPS = 16 << 3 | BYTES;
    static final int POD_IP_IP = 1 << 3 | BYTES;
    static final int HOST_IP_IP = 1 << 3 | BYTES;

    private ProtoTag() {}
}
