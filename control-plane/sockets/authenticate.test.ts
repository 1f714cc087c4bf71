import { describe, expect, it } from 'vitest';
import { addressOf, tokenOf } from './authenticate.ts';

const site = 'https://cairn.example';
const cookie = 'locale=de-DE; __Host-auth-token=mra_abc';
const knock = (headers: Record<string, string>, auth = {}) => ({ headers, auth, address: '' });

describe('the token of a socket', () => {
  it('is on https the cookie bound to its host, never one that another host of the domain could have set', () => {
    const planted = 'auth-token=mra_planted';
    expect(tokenOf(knock({ cookie: `${planted}; ${cookie}`, origin: site }), site)).toBe('mra_abc');
    expect(() => tokenOf(knock({ cookie: planted, origin: site }), site)).toThrow('Sign in');
    const plain = 'http://127.0.0.1:4321';
    expect(tokenOf(knock({ cookie: planted, origin: plain }), plain)).toBe('mra_planted');
  });

  it('is the cookie only when one of our own pages opened it', () => {
    const ours = knock({ cookie, origin: 'https://cairn.example', host: 'internal' });
    expect(tokenOf(ours, site)).toBe('mra_abc');
    const named = knock({ cookie, origin: 'http://127.0.0.1:4321', host: '127.0.0.1:4321' });
    expect(tokenOf(named, site)).toBe('mra_abc');
    for (const origin of ['https://evil.example', 'https://cairn.example.evil.example', 'null'])
      expect(() => tokenOf(knock({ cookie, origin, host: 'cairn.example' }), site)).toThrow('another site');
    expect(() => tokenOf(knock({ cookie, host: 'cairn.example' }), site)).toThrow('another site');
  });

  it('is the one in auth, before any cookie', () => {
    const said = knock({ cookie, origin: 'https://evil.example' }, { token: 'Bearer mrp_xyz' });
    expect(tokenOf(said, site)).toBe('mrp_xyz');
    expect(() => tokenOf(knock({}), site)).toThrow('Sign in');
  });
});

describe('the address of a socket', () => {
  it('is what our own site forwards, and never what a client claims', () => {
    const headers = { 'x-forwarded-for': '198.51.100.9, 203.0.113.7' };
    const from = (address: string) => addressOf({ headers, auth: {}, address });
    expect(['', '127.0.0.1', '::ffff:127.0.0.1', '10.0.0.2'].map(from)).toEqual(Array(4).fill('203.0.113.7'));
    expect(from('198.51.100.20')).toBe('198.51.100.20');
    expect(addressOf({ headers: {}, auth: {}, address: '10.0.0.2' })).toBe('10.0.0.2');
  });
});
