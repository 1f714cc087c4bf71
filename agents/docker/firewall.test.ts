import ipaddr from 'ipaddr.js';
import { expect, it } from 'vitest';
import { blocked_ranges, firewallRules, nameServersOf } from './firewall.ts';

it.each([
  ['127.0.0.1', true],
  ['10.1.2.3', true],
  ['100.100.100.200', true],
  ['169.254.169.254', true],
  ['172.17.0.1', true],
  ['192.168.1.1', true],
  ['8.8.8.8', false],
  ['172.32.0.1', false],
])('%s is blocked: %s', (address, blocked) => {
  const inRange = blocked_ranges.some((range) =>
    ipaddr.IPv4.parse(address).match(ipaddr.IPv4.parseCIDR(range)),
  );
  expect(inRange).toBe(blocked);
});

it('answers and name servers are allowed before anything is dropped', () => {
  const rules = firewallRules(['10.0.0.2']).split('\n');
  for (const chain of ['CAIRN-SERVERS', 'CAIRN-HOST']) {
    const own = rules.filter((rule) => rule.startsWith(`-A ${chain} `));
    const firstDrop = own.findIndex((rule) => rule.endsWith('DROP'));
    expect(own.slice(0, firstDrop)).toEqual([
      `-A ${chain} -m conntrack --ctstate RELATED,ESTABLISHED -j RETURN`,
      `-A ${chain} -d 10.0.0.2/32 -p udp --dport 53 -j RETURN`,
      `-A ${chain} -d 10.0.0.2/32 -p tcp --dport 53 -j RETURN`,
    ]);
    expect(own.slice(firstDrop).every((rule) => rule.endsWith('-j DROP'))).toBe(true);
  }
  expect(rules).toContain('-A CAIRN-HOST -j DROP');
  expect(rules).toContain('-A CAIRN-SERVERS -p tcp --dport 25 -j DROP');
});

it('name servers are read from a resolv.conf, without loopback, IPv6 and anything that is no address', () => {
  const text =
    '# nameserver 9.9.9.9\nnameserver 10.0.0.2\n nameserver 127.0.0.53\nnameserver fe80::1\nnameserver x;y\n';
  expect(nameServersOf(text)).toEqual(['10.0.0.2']);
});
