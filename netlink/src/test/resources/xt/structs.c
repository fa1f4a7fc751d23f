/* Prints each xtables structure we write, filled through the kernel's own headers: its name and its bytes in hexadecimal.
 * structs.golden is what it printed; XtStructTest runs it again where there is a C compiler. */
#include <stdio.h>
#include <string.h>
#include <arpa/inet.h>
#include <net/if.h>
#include <linux/netfilter.h>
#include <linux/netfilter/nf_nat.h>
#include <linux/netfilter/xt_addrtype.h>
#include <linux/netfilter/xt_comment.h>
#include <linux/netfilter/xt_conntrack.h>
#include <linux/netfilter/xt_mark.h>
#include <linux/netfilter/xt_multiport.h>
#include <linux/netfilter/xt_nfacct.h>
#include <linux/netfilter/xt_physdev.h>
#include <linux/netfilter/xt_recent.h>
#include <linux/netfilter/xt_sctp.h>
#include <linux/netfilter/xt_statistic.h>
#include <linux/netfilter/xt_tcpudp.h>
#include <linux/netfilter_ipv4/ipt_REJECT.h>
#include <linux/netfilter_ipv6/ip6t_REJECT.h>

static void print(const char *name, const void *bytes, size_t size)
{
	printf("%s ", name);
	for (size_t i = 0; i < size; i++)
		printf("%02x", ((const unsigned char *)bytes)[i]);
	printf("\n");
}

#define FILL(type, name, ...)                   \
	{                                       \
		struct type s;                  \
		memset(&s, 0, sizeof s);        \
		__VA_ARGS__;                    \
		print(name, &s, sizeof s);      \
	}

int main(void)
{
	FILL(xt_comment_info, "comment", strcpy(s.comment, "a comment"))
	FILL(xt_addrtype_info_v1, "addrtype", s.source = XT_ADDRTYPE_LOCAL; s.dest = XT_ADDRTYPE_UNICAST;
	     s.flags = XT_ADDRTYPE_INVERT_DEST)
	FILL(xt_conntrack_mtinfo3, "conntrack", s.match_flags = XT_CONNTRACK_STATE; s.invert_flags = XT_CONNTRACK_STATE;
	     s.state_mask = 0x86)
	FILL(xt_statistic_info, "statistic", s.mode = XT_STATISTIC_MODE_RANDOM; s.flags = XT_STATISTIC_INVERT;
	     s.u.random.probability = 715827883; s.u.nth.count = 715827883 /* as iptables fills it in every mode */)
	FILL(xt_recent_mtinfo_v1, "recent", s.seconds = 10800; s.hit_count = 3; s.check_set = XT_RECENT_CHECK | XT_RECENT_REAP;
	     s.invert = 1; strcpy(s.name, "KUBE-SEP-X"); s.side = XT_RECENT_DEST; memset(&s.mask, 0xff, sizeof s.mask))
	FILL(xt_mark_mtinfo1, "mark", s.mark = 0x4000; s.mask = 0xff00; s.invert = 1)
	FILL(xt_physdev_info, "physdev", strcpy(s.physindev, "cali+"); memset(s.in_mask, 0xff, 4); strcpy(s.physoutdev, "eth0");
	     memset(s.out_mask, 0xff, 5); s.invert = XT_PHYSDEV_OP_OUT; s.bitmask = XT_PHYSDEV_OP_IN | XT_PHYSDEV_OP_OUT)
	FILL(xt_tcp, "tcp", s.spts[0] = 1; s.spts[1] = 2; s.dpts[0] = 3; s.dpts[1] = 4; s.option = 5; s.flg_mask = 6;
	     s.flg_cmp = 2; s.invflags = XT_TCP_INV_DSTPT)
	FILL(xt_udp, "udp", s.spts[0] = 1; s.spts[1] = 2; s.dpts[0] = 3; s.dpts[1] = 4; s.invflags = XT_UDP_INV_SRCPT)
	FILL(xt_sctp_info, "sctp", s.dpts[0] = 80; s.dpts[1] = 90; s.spts[0] = 5; s.spts[1] = 7;
	     for (int i = 0; i < XT_NUM_SCTP_FLAGS; i++) s.flag_info[i].chunktype = -1;
	     s.flags = XT_SCTP_DEST_PORTS | XT_SCTP_SRC_PORTS; s.invflags = XT_SCTP_SRC_PORTS)
	FILL(xt_nfacct_match_info_v1, "nfacct", strcpy(s.name, "dropped"));
	FILL(xt_multiport_v1, "multiport", s.flags = XT_MULTIPORT_DESTINATION; s.count = 3; s.ports[0] = 80; s.ports[1] = 90;
	     s.ports[2] = 100; s.pflags[1] = 1; s.invert = 1)
	FILL(nf_nat_range2, "DNAT-4", s.flags = NF_NAT_RANGE_MAP_IPS | NF_NAT_RANGE_PROTO_SPECIFIED;
	     inet_pton(AF_INET, "10.1.2.3", &s.min_addr); s.max_addr = s.min_addr;
	     s.min_proto.all = s.max_proto.all = htons(8080))
	FILL(nf_nat_range2, "DNAT-6", s.flags = NF_NAT_RANGE_MAP_IPS; inet_pton(AF_INET6, "fd00::5", &s.min_addr);
	     s.max_addr = s.min_addr)
	FILL(nf_nat_ipv4_multi_range_compat, "MASQUERADE-4", s.rangesize = 1;
	     s.range[0].flags = NF_NAT_RANGE_PROTO_RANDOM_FULLY | NF_NAT_RANGE_PROTO_SPECIFIED;
	     s.range[0].min.all = htons(1024); s.range[0].max.all = htons(2048))
	FILL(nf_nat_range, "MASQUERADE-6", s.flags = NF_NAT_RANGE_PROTO_RANDOM_FULLY)
	FILL(xt_mark_tginfo2, "MARK", s.mark = 0x4000; s.mask = 0x4001)
	FILL(ipt_reject_info, "REJECT-4", s.with = IPT_ICMP_PORT_UNREACHABLE)
	FILL(ip6t_reject_info, "REJECT-6", s.with = IP6T_ICMP6_PORT_UNREACH)
	return 0;
}
