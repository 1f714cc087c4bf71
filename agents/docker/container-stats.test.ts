import { describe, expect, it } from 'vitest';
import { cpuPercent, type Sample, traffic, usedRamMb } from './container-stats.ts';

const mb = 1024 * 1024;
const sample = (second: number, cpu_s: number): Sample => ({
  read: `2026-01-01T00:00:${String(second).padStart(2, '0')}.000000000Z`,
  cpu_stats: { cpu_usage: { total_usage: cpu_s * 1e9 } },
});

describe('memory', () => {
  it.each([
    ['of cgroups 1', { total_inactive_file: 30 * mb, inactive_file: 1 * mb }, 70],
    ['of cgroups 2', { inactive_file: 40 * mb }, 60],
    ['without any cache', {}, 100],
    ['with more cache than use', { inactive_file: 200 * mb }, 0],
  ])('%s counts what the process really holds', (_, stats, used) => {
    expect(usedRamMb({ read: '', memory_stats: { usage: 100 * mb, stats } })).toBe(used);
  });

  it('of an ended container is nothing', () => {
    expect(usedRamMb({ read: '' })).toBe(0);
  });
});

describe('cpu', () => {
  it('counts percent of one core: one and a half is 150', () => {
    expect(cpuPercent(sample(1, 10), sample(3, 13))).toBe(150);
  });

  it.each([
    ['the first sample', null, sample(1, 1)],
    ['two samples of one moment', sample(1, 1), sample(1, 2)],
    ['a counter that began anew', sample(1, 5), sample(2, 1)],
    ['an ended container', sample(1, 5), { read: '2026-01-01T00:00:02Z' }],
  ])('of %s is not known', (_, before, now) => {
    expect(cpuPercent(before, now)).toBeNull();
  });
});

it('traffic is the sum of all networks', () => {
  const networks = { eth0: { rx_bytes: 1, tx_bytes: 10 }, eth1: { rx_bytes: 2, tx_bytes: 20 } };
  expect(traffic({ read: '', networks })).toEqual({ rx_bytes: 3, tx_bytes: 30 });
  expect(traffic({ read: '' })).toEqual({ rx_bytes: 0, tx_bytes: 0 });
});
