import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net';

type Subnet = readonly [network: string, prefix: number];

/** IANA IPv4 special-purpose registry (RFC 6890 and successors), with multicast. */
const SPECIAL_IPV4: Subnet[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
  // A public address, but inside Azure it is the control service of the host.
  ['168.63.129.16', 32],
];

/** Ranges within 2000::/3, the only public IPv6 space, that are not for ordinary hosts. 2001::/23 includes Teredo. */
const SPECIAL_IPV6: Subnet[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['3fff::', 20],
];

const specialIpv4 = subnets(SPECIAL_IPV4, 'ipv4');
const specialIpv6 = subnets(SPECIAL_IPV6, 'ipv6');
const globalIpv6 = subnets([['2000::', 3]], 'ipv6');

/** IPv6 prefixes that embed an IPv4 address: the leading groups, then the index of the two groups that hold it. */
const EMBEDDINGS = [
  { name: 'compatible', lead: [0, 0, 0, 0, 0, 0], at: 6 },
  { name: 'mapped', lead: [0, 0, 0, 0, 0, 0xffff], at: 6 },
  { name: 'nat64', lead: [0x64, 0xff9b, 0, 0, 0, 0], at: 6 },
  { name: '6to4', lead: [0x2002], at: 1 },
];

/**
 * Whether the server may connect to this address on behalf of visitors. True only for ordinary hosts on the public
 * Internet in plain notation. An IPv6 address that embeds an IPv4 one is judged by the latter. A network's own NAT64
 * prefix cannot be recognised.
 */
export function isPublicAddress(ip: string): boolean {
  const family = isIP(ip);
  if (family === 4) return !specialIpv4.check(ip, 'ipv4');
  // A zone (fe80::1%eth0) only makes sense on the local link.
  if (family !== 6 || ip.includes('%')) return false;

  const embedded = embeddedIpv4(ip);
  if (embedded !== undefined) return !specialIpv4.check(embedded, 'ipv4');
  return globalIpv6.check(ip, 'ipv6') && !specialIpv6.check(ip, 'ipv6');
}

interface HostEntry {
  /** As in a URL: names in lower case, IPv6 addresses in brackets. */
  hostname: string;
  /** Default: 80 and 443. */
  port?: number;
}

const HOST_ENTRY = /^(\[[0-9a-f:.]+\]|[^\s:/?#@[\]\\*%]+)(?::(\d{1,5}))?$/i;

/**
 * Parses an entry of a host list: `host`, `host:port`, `2001:db8::1` or `[2001:db8::1]:8080`. Undefined for anything
 * else, such as a URL or an invalid port.
 */
export function readHostEntry(entry: string): HostEntry | undefined {
  const [, host, digits] = HOST_ENTRY.exec(isIP(entry) === 6 ? `[${entry}]` : entry) ?? [];
  const hostname = host && URL.parse(`http://${host}`)?.hostname;
  if (!hostname) return undefined;
  if (digits === undefined) return { hostname };
  const port = Number(digits);
  return port > 0 && port <= 65_535 ? { hostname, port } : undefined;
}

/** Whether the host and port of a URL are on the list. Whole names match, ignoring case. */
export function isAllowedHost(url: URL, allowedHosts: readonly string[]): boolean {
  return allowedHosts.some((entry) => {
    const { hostname, port } = readHostEntry(entry) ?? {};
    return hostname === url.hostname && (port === undefined ? isUsualPort(url) : port === portOf(url));
  });
}

/** Whether the port of a URL is one of the standard web ports. */
export const isUsualPort = (url: URL): boolean => [80, 443].includes(portOf(url));

/** Port of an http or https URL. */
function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port);
  return url.protocol === 'https:' ? 443 : 80;
}

/**
 * Network under which an address is counted, in canonical form: for IPv4 the address itself; for IPv6 its /64, in which
 * a client may choose addresses freely. An embedded IPv4 address counts as IPv4.
 */
export function networkOf(address: string): string {
  if (isIPv4(address) || !isIPv6(address)) return address;
  // The zone of `fe80::1%eth0` names a local network interface.
  const ip = address.replace(/%.*/s, '');
  const embedded = ipv6Groups(ip).some((group, index) => index < 6 && group !== 0) ? embeddedIpv4(ip) : undefined;
  if (embedded !== undefined) return embedded;
  const groups = ipv6Groups(ip).slice(0, 4);
  return `${groups.map((group) => group.toString(16)).join(':')}::/64`;
}

/**
 * The network of an address, precise enough to tell regions apart but not people: /24 for IPv4, /48 for IPv6. Empty if
 * the text is not an address.
 */
export function shortenedNetwork(address: string): string {
  const network = networkOf(address);
  if (isIPv4(network)) return `${network.split('.', 3).join('.')}.0/24`;
  return isIPv6(network.split('/')[0] ?? '') ? `${network.split(':', 3).join(':')}::/48` : '';
}

const PRIVATE_IPV4 = /^(127|10|192\.168|169\.254|172\.(1[6-9]|2\d|3[01])|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\./;

/** Whether an address belongs to this machine or a private network, where a proxy may run. */
export const isPrivateAddress = (address: string): boolean =>
  PRIVATE_IPV4.test(address) || /^(::1$|f[cd][0-9a-f]{2}:|fe[89ab][0-9a-f]:)/i.test(address);

function embeddedIpv4(ip: string): string | undefined {
  const groups = ipv6Groups(ip);
  const embedding = EMBEDDINGS.find(({ lead }) => lead.every((group, index) => groups[index] === group));
  if (embedding === undefined) return undefined;
  return groups
    .slice(embedding.at, embedding.at + 2)
    .flatMap((group) => [group >> 8, group & 0xff])
    .join('.');
}

/** The eight 16-bit groups of a valid IPv6 address. The URL parser turns a dotted tail into hexadecimal groups. */
function ipv6Groups(ip: string): number[] {
  const canonical = new URL(`http://[${ip}]/`).hostname.slice(1, -1);
  const [head = '', tail = ''] = canonical.split('::');
  const before = hexGroups(head);
  const after = hexGroups(tail);
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => 0);
  return [...before, ...zeros, ...after];
}

function hexGroups(text: string): number[] {
  return text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));
}

function subnets(list: Subnet[], family: 'ipv4' | 'ipv6'): BlockList {
  const blockList = new BlockList();
  for (const [network, prefix] of list) blockList.addSubnet(network, prefix, family);
  return blockList;
}
