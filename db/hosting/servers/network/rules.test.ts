import { describe, expect, it } from 'vitest';
import {
  type DomainAnswers,
  isBelow,
  judgeDomain,
  nextCheck,
  portName,
  readDomain,
  whyNotAddPort,
  whyNotNamePort,
  zoneText,
} from './rules.ts';

describe('names of ports', () => {
  it.each([
    [' Map ', 'Map'],
    ['م'.repeat(32), 'م'.repeat(32)],
    ['x'.repeat(33), null],
    ['  ', null],
    ['two\nlines', null],
    ['\ud800', null],
  ])('%j is %j', (text, name) => {
    expect(portName(text)).toBe(name);
  });

  it('are unique on a server, whatever their case, and at most 15', () => {
    expect(whyNotNamePort(['Map', 'Voice'], 'mAP')).toBe('port_name_taken');
    expect(whyNotNamePort(['Map'], 'Maps')).toBeNull();
    const names = Array.from({ length: 14 }, (_, n) => `p${n}`);
    expect(whyNotAddPort(names, 'next')).toBeNull();
    expect(whyNotAddPort([...names, 'next'], 'one more')).toBe('ports_too_many');
  });
});

describe('readDomain', () => {
  it.each([
    ['play.example.org', 'play.example.org'],
    [' Play.Example.ORG. ', 'play.example.org'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['مثال.example', 'xn--mgbh0fb.example'],
    ['a.co', 'a.co'],
    [`${'a'.repeat(63)}.example`, `${'a'.repeat(63)}.example`],
    [`${'a'.repeat(64)}.example`, null],
    [`${'a.'.repeat(118)}b`, `${'a.'.repeat(118)}b`],
    [`${'a.'.repeat(119)}b`, null],
    ['example', null],
    ['', null],
    ['.', null],
    ['..', null],
    ['play..example.org', null],
    ['-play.example.org', null],
    ['play-.example.org', null],
    ['pl_ay.example.org', null],
    ['*.example.org', null],
    ['https://play.example.org', null],
    ['play.example.org:25565', null],
    ['play.example.org/x', null],
    ['ada@example.org', null],
    ['play example.org', null],
    ['play.example.org%2e', null],
    ['192.0.2.7', null],
    ['0x7f.1', null],
    ['3232235777', null],
    ['2001:db8::7', null],
    ['[2001:db8::7]', null],
    ['server.localhost', null],
    ['nas.local', null],
    ['\u0000.example.org', null],
    ['\ud800.example.org', null],
  ])('%j is %j', (text, domain) => {
    expect(readDomain(text)).toBe(domain);
  });

  it('finds what is below a domain, by whole words only', () => {
    expect(isBelow('a.servers.example', 'servers.example')).toBe(true);
    expect(isBelow('servers.example', 'servers.example')).toBe(true);
    expect(isBelow('myservers.example', 'servers.example')).toBe(false);
  });
});

describe('judgeDomain', () => {
  const server = {
    ...{ domain: 'play.example.org', host: 'Node.example.net', port: 25_601, service: '_minecraft._tcp' },
  };
  const none: DomainAnswers = {
    ...{ srv: [], cname: null, addresses: [], node_addresses: ['192.0.2.7'], failed: false },
  };
  const srv = (change: object = {}) => ({
    ...{ priority: 0, weight: 5, port: 25_601, target: 'node.example.net', addresses: [] },
    ...change,
  });
  const judged = (answers: Partial<DomainAnswers>, port = server.port) => {
    const { state, problem } = judgeDomain({ ...server, port }, { ...none, ...answers });
    return [state, problem];
  };

  it.each<[string, Partial<DomainAnswers>, number, unknown[]]>([
    ['nothing', {}, 25_601, ['pending', 'no_records']],
    ['the node by name', { srv: [srv()] }, 25_601, ['verified', null]],
    [
      'the node by address',
      { srv: [srv({ target: 'x.org', addresses: ['192.0.2.7'] })] },
      25_601,
      ['verified', null],
    ],
    ['another port', { srv: [srv({ port: 25_600 })] }, 25_601, ['wrong', 'srv_port']],
    [
      'another host',
      { srv: [srv({ target: 'x.org', addresses: ['192.0.2.8'] })] },
      25_601,
      ['wrong', 'srv_target'],
    ],
    ['only an address', { addresses: ['192.0.2.7'] }, 25_601, ['wrong', 'srv_missing']],
    ['an address and the default port', { addresses: ['192.0.2.7'] }, 25_565, ['verified', null]],
    ['an alias and the default port', { cname: 'node.example.net' }, 25_565, ['verified', null]],
    ['another address and the default port', { addresses: ['192.0.2.8'] }, 25_565, ['wrong', 'address']],
    ['another SRV of the same priority', { srv: [srv(), srv({ port: 1 })] }, 25_601, ['wrong', 'srv_port']],
    [
      'another SRV of a later priority',
      { srv: [srv(), srv({ priority: 9, port: 1 })] },
      25_601,
      ['verified', null],
    ],
    ['no answer', { failed: true }, 25_601, [null, 'dns_failed']],
    ['no answer about something else', { srv: [srv()], failed: true }, 25_601, ['verified', null]],
  ])('%s', (_, answers, port, wanted) => {
    expect(judged(answers, port)).toEqual(wanted);
  });

  it('tells at most ten records', () => {
    const many = Array.from({ length: 30 }, (_, n) => `192.0.2.${n}`);
    expect(judgeDomain(server, { ...none, addresses: many }).records).toHaveLength(10);
  });
});

it('checks daily what is verified, and hourly for a week what is not', () => {
  const since = new Date('2026-11-20T12:00:00Z');
  const after = (days: number) => new Date(since.getTime() + days * 86_400_000);
  expect(nextCheck('verified', since, after(300))).toEqual(after(301));
  expect(nextCheck('pending', since, since)).toEqual(new Date('2026-11-20T13:00:00Z'));
  expect(nextCheck('wrong', since, after(6))).toEqual(new Date('2026-11-26T13:00:00Z'));
  expect(nextCheck('wrong', since, after(7))).toBeNull();
});

it('writes records as zone files have them', () => {
  const name = 'play.example.org';
  expect(
    zoneText([
      { type: 'A', name, value: '192.0.2.7' },
      { type: 'CNAME', name, value: 'node.example.net' },
      { type: 'SRV', name: `_minecraft._tcp.${name}`, value: '0 5 25601 node.example.net' },
    ]),
  ).toBe(`play.example.org. 3600 IN A 192.0.2.7
play.example.org. 3600 IN CNAME node.example.net.
_minecraft._tcp.play.example.org. 3600 IN SRV 0 5 25601 node.example.net.
`);
});
