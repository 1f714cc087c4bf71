import { afterAll, beforeAll, expect, it } from 'vitest';
import { type DnsServer, dnsServer, srvRecord } from '../../../testing/dns-server.ts';
import { lookUpDomain } from './lookup.ts';

let server: DnsServer;
beforeAll(async () => {
  server = await dnsServer();
});
afterAll(() => server.close());
const domain = 'play.example.org';
const ask = (host = '127.0.0.1') => lookUpDomain(domain, host, [server.address]);

it('asks a name server for the service, the alias and the addresses', async () => {
  server.answers = [
    srvRecord(domain, 25_601, 'Node.example.net'),
    { type: 'CNAME', name: domain, data: 'node.example.net' },
    { type: 'A', name: 'node.example.net', data: '192.0.2.7' },
    { type: 'AAAA', name: 'node.example.net', data: '2001:db8:0:0::7' },
  ];
  const both = ['192.0.2.7', '2001:db8::7'];
  expect(await ask('node.example.net')).toEqual({
    srv: [{ priority: 0, weight: 5, port: 25_601, target: 'node.example.net', addresses: both }],
    cname: 'node.example.net',
    addresses: expect.any(Array),
    node_addresses: both,
    failed: false,
  });
  expect(server.asked).toEqual(
    expect.arrayContaining([`SRV _minecraft._tcp.${domain}`, `CNAME ${domain}`, `AAAA node.example.net`]),
  );
});

it('takes an address of a node as it is, and nothing for an answer', async () => {
  server.answers = [];
  expect(await ask('2001:DB8::0:7')).toEqual({
    ...{ srv: [], cname: null, addresses: [], node_addresses: ['2001:db8::7'], failed: false },
  });
});

it('says when a name server does not answer, in bounded time', async () => {
  server.silent = true;
  expect(await ask()).toMatchObject({ srv: [], addresses: [], failed: true });
  server.silent = false;
  expect(await lookUpDomain(domain, '127.0.0.1', ['127.0.0.1:1'])).toMatchObject({ failed: true });
}, 30_000);
