import { describe, expect, it, test } from 'vitest';
import { alertKinds, completeRules, defaultRules, quietUntil, whyNotRule } from './rules.ts';

describe('rules', () => {
  it('are the defaults, which are allowed, and what was chosen', () => {
    expect(completeRules({})).toEqual(defaultRules);
    expect(completeRules({ cpu: { over: 50 } }).cpu).toEqual({ enabled: true, over: 50, minutes: 15 });
    expect(alertKinds.map((kind) => whyNotRule(kind, defaultRules[kind]))).toEqual(
      alertKinds.map(() => null),
    );
  });

  test.each([
    ['cpu', { over: 101, minutes: 5 }, 'over'],
    ['cpu', { over: null, minutes: 5 }, 'over'],
    ['disk', { over: 90.5, minutes: 5 }, 'over'],
    ['tick', { over: 50, minutes: 0 }, 'minutes'],
    ['node_down', { over: null, minutes: 61 }, 'minutes'],
    ['crash_loop', { over: null, minutes: null }, undefined],
  ] as const)('%s with %o is refused for %s', (kind, rule, field) => {
    expect(whyNotRule(kind, { enabled: true, ...rule })?.field).toBe(field);
  });
});

describe('quiet hours', () => {
  const night = { from: 22 * 60, until: 7 * 60, zone: 'Europe/Berlin' };
  const until = (at: string, quiet = night) => quietUntil(quiet, new Date(at))?.toISOString() ?? null;

  it('hold from the evening to the morning in their zone', () => {
    expect(until('2026-11-21T20:59:59Z')).toBeNull();
    expect(until('2026-11-21T21:00:00Z')).toBe('2026-11-22T06:00:00.000Z');
    expect(until('2026-11-22T05:59:30Z')).toBe('2026-11-22T06:00:00.000Z');
    expect(until('2026-11-22T06:00:00Z')).toBeNull();
  });

  it('end at their hour also in nights in which clocks change', () => {
    expect(until('2026-03-28T22:00:00Z')).toBe('2026-03-29T05:00:00.000Z');
    expect(until('2026-10-24T21:00:00Z')).toBe('2026-10-25T06:00:00.000Z');
  });

  it('end at some moment when their hour does not exist', () => {
    const quiet = { from: 60, until: 150, zone: 'Europe/Berlin' };
    const end = quietUntil(quiet, new Date('2026-03-29T00:30:00Z'))!;
    expect(end.getTime()).toBeGreaterThan(Date.parse('2026-03-29T00:30:00Z'));
    expect(end.getTime()).toBeLessThan(Date.parse('2026-03-29T03:00:00Z'));
  });

  it('of no length are none', () => {
    expect(quietUntil({ from: 60, until: 60, zone: 'UTC' }, new Date('2026-01-01T01:00:00Z'))).toBeNull();
  });
});
