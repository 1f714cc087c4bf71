import { describe, expect, it } from 'vitest';
import { whyNotGiveUpNode, whyNotNode, whyNotRemoveNode } from './rules.ts';

const node = { name: 'stone-1', public_address: 'play.example.org' };

describe('a new node', () => {
  it('has a host name or an IP address without a port', () => {
    for (const public_address of ['localhost', '10.0.0.9', '2001:db8::1', '::ffff:10.0.0.9', 'a-b.example'])
      expect(whyNotNode({ ...node, public_address }), public_address).toBeNull();
    for (const public_address of ['', 'a b', '-a.example', 'a.example:25', 'http://a.example', '::1]'])
      expect(whyNotNode({ ...node, public_address }), public_address).toBe('node_address_invalid');
  });

  it('has ports in order, whichever of them is given', () => {
    expect(whyNotNode({ ...node, port_from: 1024, port_to: 65_535 })).toBeNull();
    expect(whyNotNode({ ...node, port_from: 26_000 }), 'above the usual last one').toBe('node_ports_invalid');
    expect(whyNotNode({ ...node, port_to: 65_536 })).toBe('node_ports_invalid');
  });
});

describe('a node', () => {
  const none = { status: 'online', servers: 0, leaving: 0, copies: 0 } as const;
  it('is removed without servers; deletions count where its agent can confirm them', () => {
    expect(whyNotRemoveNode(none)).toBeNull();
    expect(whyNotRemoveNode({ ...none, servers: 1, leaving: 1 })).toBe('node_not_empty');
    expect(whyNotRemoveNode({ ...none, status: 'offline', servers: 1, leaving: 1 })).toBeNull();
    expect(whyNotRemoveNode({ ...none, copies: 1 }), 'a move can go back to it').toBe('node_not_empty');
  });
  it('is given up only while nothing comes from it', () => {
    const states = ['new', 'online', 'degraded', 'offline'] as const;
    expect(states.map((status) => whyNotGiveUpNode({ status }))).toEqual([
      ...[null, 'node_online', 'node_online', null],
    ]);
  });
});
