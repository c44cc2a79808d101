import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isAllowedHost, isPrivateAddress, isPublicAddress, networkOf, shortenedNetwork } from './addresses.ts';

const PUBLIC = [
  '1.1.1.1',
  '8.8.8.8',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.0',
  '169.253.255.255',
  '172.15.255.255',
  '172.32.0.0',
  '192.167.255.255',
  '192.169.0.0',
  '198.17.255.255',
  '198.20.0.0',
  '223.255.255.255',
  '2606:4700:4700::1111',
  '2a00:1450:4001:81b::200e',
  '2001:4860:4860::8888',
  '::ffff:8.8.8.8',
  '::ffff:808:808',
  '::8.8.8.8',
  '64:ff9b::8.8.8.8',
  '2002:808:808::1',
];

const NOT_PUBLIC: Array<[kind: string, addresses: string[]]> = [
  ['this network', ['0.0.0.0', '0.1.2.3', '0.255.255.255']],
  ['private', ['10.0.0.0', '10.255.255.255', '172.16.0.1', '172.31.255.255', '192.168.0.1', '192.168.255.255']],
  ['carrier NAT', ['100.64.0.0', '100.100.100.200', '100.127.255.255']],
  ['loopback', ['127.0.0.1', '127.255.255.255', '::1', '0:0:0:0:0:0:0:1']],
  ['link-local', ['169.254.0.0', '169.254.169.254', 'fe80::1', 'febf::1', 'fe80::1%eth0']],
  ['protocol assignments', ['192.0.0.1', '192.0.0.192', '192.31.196.1', '192.52.193.1', '192.88.99.1', '192.175.48.1']],
  ['documentation', ['192.0.2.1', '198.51.100.7', '203.0.113.9', '2001:db8::1', '3fff::1', '3fff:fff::1']],
  ['benchmark', ['198.18.0.1', '198.19.255.255', '2001:2::1']],
  ['multicast', ['224.0.0.1', '239.255.255.255', 'ff02::1', 'ff0e::1']],
  ['reserved and broadcast', ['240.0.0.1', '255.255.255.254', '255.255.255.255']],
  ['host control service', ['168.63.129.16', '::ffff:168.63.129.16']],
  ['unspecified', ['::', '0:0:0:0:0:0:0:0']],
  ['unique-local', ['fc00::1', 'fd00:ec2::254', 'fdff::1']],
  ['site-local', ['fec0::1']],
  ['discard and segment routing', ['100::1', '5f00::1']],
  ['IPv4-mapped', ['::ffff:127.0.0.1', '::ffff:7f00:1', '::FFFF:10.0.0.1', '0:0:0:0:0:ffff:c0a8:1']],
  ['IPv4-compatible', ['::127.0.0.1', '::10.0.0.1', '::a9fe:a9fe']],
  ['IPv4-translated', ['::ffff:0:10.0.0.1', '::ffff:0:8.8.8.8']],
  ['NAT64', ['64:ff9b::10.0.0.1', '64:ff9b::7f00:1', '64:ff9b:1::8.8.8.8', '64:ff9b::1:8.8.8.8']],
  ['6to4', ['2002:7f00:1::', '2002:a00:1::1', '2002:c0a8:101:1::1', '2002:a9fe:a9fe::']],
  ['Teredo', ['2001::1', '2001:0:4136:e378:8000:63bf:3fff:fdd2', '2001:0:808:808::f5ff:fffe']],
  [
    'not an address',
    ['', 'localhost', '127.1', '0x7f.1', '2130706433', '8.8.8.8:80', '[2606:4700::1]', ' 8.8.8.8', '8.8.8'],
  ],
];

describe('isPublicAddress', () => {
  it.each(PUBLIC)('%s is public', (ip) => {
    expect(isPublicAddress(ip)).toBe(true);
  });

  it.each(NOT_PUBLIC)('%s is not public', (_kind, addresses) => {
    expect(addresses.filter(isPublicAddress)).toEqual([]);
  });

  it('judges an IPv4 address alike in every IPv6 embedding', () => {
    fc.assert(
      fc.property(fc.ipV4(), (ip) => {
        const [a = 0, b = 0, c = 0, d = 0] = ip.split('.').map(Number);
        const sixToFour = `2002:${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}::1`;
        const judged = [`::ffff:${ip}`, `::${ip}`, `64:ff9b::${ip}`, sixToFour].map(isPublicAddress);
        expect(new Set(judged)).toEqual(new Set([isPublicAddress(ip)]));
      }),
    );
  });

  it('judges any text without throwing', () => {
    fc.assert(
      fc.property(fc.oneof(fc.ipV6(), fc.string()), (text) => {
        expect(typeof isPublicAddress(text)).toBe('boolean');
      }),
    );
  });
});

describe('isAllowedHost', () => {
  it.each([
    ['http://localhost/a', 'localhost', true],
    ['https://localhost/a', 'localhost', true],
    ['http://localhost:443/a', 'localhost', true],
    ['http://localhost:8080/a', 'localhost', false],
    ['http://localhost:8080/a', 'localhost:8080', true],
    ['http://LOCALHOST:8080/a', 'LocalHost:8080', true],
    ['http://localhost:8081/a', 'localhost:8080', false],
    ['http://localhost/a', 'localhost:80', true],
    ['https://localhost/a', 'localhost:443', true],
    ['https://localhost/a', 'localhost:80', false],
    ['http://localhost.evil.example/', 'localhost', false],
    ['http://evil.example/localhost', 'localhost', false],
    ['http://sub.images.example/', 'images.example', false],
    ['http://127.1/', '127.0.0.1', true],
    ['http://127.1:9/', '127.0.0.1', false],
    ['http://127.1:9/', '127.0.0.1:9', true],
    ['http://[::1]/', '::1', true],
    ['http://[::1]/', '[::1]', true],
    ['http://[::1]:9/', '::1', false],
    ['http://[::1]:9/', '[::1]', false],
    ['http://[0:0::1]:9/', '[::0:1]:9', true],
    ['http://[::1:9]/', '::1:9', true],
    ['http://[::1]:9/', '[::1]:9', true],
    ['http://[::1]:9/', '[::1]:8', false],
    ['http://localhost/', '', false],
    ['http://localhost/', ':80', false],
    ['http://localhost/', 'http://localhost', false],
    ['http://localhost:9/', 'localhost:99999', false],
    ['http://localhost/', 'localhost/', false],
  ])('%s by %j: %s', (url, entry, expected) => {
    expect(isAllowedHost(new URL(url), [entry])).toBe(expected);
  });
});

describe('shortenedNetwork', () => {
  it.each([
    ['203.0.113.77', '203.0.113.0/24'],
    ['::ffff:203.0.113.77', '203.0.113.0/24'],
    ['2001:db8:1:2:3::4', '2001:db8:1::/48'],
    ['fe80::1%eth0', 'fe80:0:0::/48'],
    ['unknown', ''],
    ['', ''],
  ])('of %s is %s', (address, network) => {
    expect(shortenedNetwork(address)).toBe(network);
  });
});

describe('networkOf', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['::FFFF:c000:207', '192.0.2.7'],
    ['0:0:0:0:0:ffff:192.0.2.7', '192.0.2.7'],
    ['64:ff9b::192.0.2.7', '192.0.2.7'],
    ['2002:c000:207:1::9', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002::9', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['fe80::2%25eth1', 'fe80:0:0:0::/64'],
    ['unknown', 'unknown'],
  ])('%s belongs to %s', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });
});

describe('isPrivateAddress', () => {
  it.each([
    '127.0.0.1',
    '10.1.2.3',
    '172.31.0.1',
    '192.168.0.9',
    '169.254.1.1',
    '100.64.0.1',
    '::1',
    'fd00::1',
    'fe80::1%eth0',
  ])('treats %s as private', (address) => expect(isPrivateAddress(address)).toBe(true));
  it.each(['203.0.113.9', '11.0.0.1', '172.32.0.1', '2001:db8::1', '1.127.0.1', 'unknown', '::'])(
    'does not take %s for private',
    (address) => expect(isPrivateAddress(address)).toBe(false),
  );
});
