import { expect, it } from 'vitest';
import { dnsRecords } from './dns.ts';

const name = 'long-way.servers.example.org';
const recordsOf = (host: string) =>
  dnsRecords({ name, address: { host, port: 25601 } }).map((one) => Object.values(one).join(' '));

it.each([
  ['192.0.2.7', `A ${name} 192.0.2.7`, name],
  ['2001:db8::7', `AAAA ${name} 2001:db8::7`, name],
  ['Play.example.net.', `CNAME ${name} play.example.net`, 'play.example.net'],
])('leads a name to a node at %s, with the port by SRV', (host, address, target) => {
  expect(recordsOf(host)).toEqual([address, `SRV _minecraft._tcp.${name} 0 5 25601 ${target}`]);
});
