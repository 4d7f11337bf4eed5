import { BlockList, isIPv6 } from 'node:net';

/** Networks that are not of the Internet: of this machine, of a site, or reserved (RFC 6890). */
const PRIVATE_NETWORKS = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16'],
  ...['172.16.0.0/12', '192.0.0.0/24', '192.0.2.0/24', '192.168.0.0/16', '198.18.0.0/15'],
  ...['198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4'],
  // Those that hold an IPv4 address could lead to any of the above.
  ...['::/96', '::ffff:0:0/96', '64:ff9b::/96', '64:ff9b:1::/48', '100::/64', '2001::/23'],
  ...['2001:db8::/32', '2002::/16', 'fc00::/7', 'fe80::/10', 'ff00::/8'],
];

/** Of each kind on its own: those of IPv4 addresses in IPv6 would be taken for all of IPv4. */
const blocked = { ipv4: new BlockList(), ipv6: new BlockList() };
for (const network of PRIVATE_NETWORKS) {
  const [address = '', bits] = network.split('/');
  blocked[getKind(address)].addSubnet(address, Number(bits), getKind(address));
}

export function isPrivateAddress(address: string): boolean {
  return blocked[getKind(address)].check(address, getKind(address));
}

function getKind(address: string): 'ipv4' | 'ipv6' {
  return isIPv6(address) ? 'ipv6' : 'ipv4';
}
