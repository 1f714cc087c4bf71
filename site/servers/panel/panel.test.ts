import { describe, expect, it } from 'vitest';
import { islandMessages } from '#content/island-messages.ts';
import { languageRows, messages } from '#content/messages.ts';
import { lifecycles, powers, suspensions } from '#db/servers/rules.ts';
import { messageReader } from '../../text/message-reader.ts';
import { fuzzyScore } from '../list/fuzzy.ts';
import { panelPrefixes } from '../shared/panel-prefixes.ts';
import { brokenText, stateView, waitsForRestart, willRestart } from '../shared/state.ts';
import { durationParts } from '../shared/time.ts';
import { max_samples, profile, type Sample, share, withSample } from './console/stats.ts';

const server = {
  lifecycle: 'ready',
  state: 'running',
  lifecycle_data: {},
  power_wanted: 'on',
} as Parameters<typeof stateView>[0];

describe('server states', () => {
  it('have a label each, and a sentence where more must be known', () => {
    const labels = [
      ...[...powers, 'unknown'].map((state) => stateView({ ...server, state } as typeof server)),
      ...lifecycles
        .filter((one) => one !== 'ready')
        .map((lifecycle) => stateView({ ...server, lifecycle, state: 'installing' })),
      stateView({ ...server, lifecycle: 'unprovisioned', lifecycle_data: { reason: 'out_of_stock' } }),
    ];
    expect(new Set(labels.map(({ text }) => text)).size).toBe(labels.length);
    expect(labels.slice(powers.length).every(({ reason }) => reason !== null)).toBe(true);
  });

  it('name the reason of a suspension, also an unknown one', () => {
    const why = (reason: string) =>
      stateView({ ...server, lifecycle: 'suspended', lifecycle_data: { reason } }).reason;
    expect(new Set(suspensions.map(why)).size).toBe(suspensions.length);
    expect(why('something new')).toBe(why('other'));
  });

  it('restart automatically after a crash, unless in a crash loop or meant to be off', () => {
    const crash = { exit_code: 1, out_of_memory: false, last_lines: [], held: false };
    const crashed = { ...server, state: 'crashed', crash } as typeof server;
    expect(willRestart(crashed)).toBe(true);
    expect(willRestart({ ...crashed, power_wanted: 'off' })).toBe(false);
    expect(willRestart({ ...crashed, crash: { ...crash, held: true } })).toBe(false);
    expect(willRestart({ ...crashed, state: 'running' })).toBe(false);
  });

  it('suggest a restart after a resize while running, once the new size is in force', () => {
    const due = { ...server, restart_due: true } as typeof server;
    expect(waitsForRestart(due)).toBe(true);
    expect(waitsForRestart({ ...due, restart_due: false })).toBe(false);
    for (const state of ['stopped', 'unknown'] as const)
      expect(waitsForRestart({ ...due, state })).toBe(false);
    expect(waitsForRestart({ ...due, lifecycle: 'upgrading' })).toBe(false);
  });

  it('explain setup errors that have a message', () => {
    const word = (step: string) =>
      brokenText({ ...server, lifecycle: 'broken', lifecycle_data: { step, error: 'x' } });
    expect(word('disk_full')).toBe('servers.broken_disk_full');
    expect(word('constructor')).toBeNull();
  });
});

it('says numbers in the plural of every language', () => {
  const english = messageReader(islandMessages(messages('en-US'), ...panelPrefixes));
  expect([1, 2, 1234].map((count) => english.count('servers.skipped', count))).toEqual([
    '1 line skipped',
    '2 lines skipped',
    '1,234 lines skipped',
  ]);
  for (const { tag } of languageRows) {
    const labels = messageReader(islandMessages(messages(tag), ...panelPrefixes));
    for (const count of [0, 1, 2, 5, 11, 100, 1000])
      expect(labels.count('servers.between', count), tag).toContain(labels.number(count));
  }
});

it('keeps the newest statistics in order, and draws them inside the graph', () => {
  const sample = (at: number) => ({ at }) as Sample;
  const many = Array.from({ length: 90 }, (_, at) => sample(at)).reduce(withSample, [] as readonly Sample[]);
  expect(many.map(({ at }) => at)).toEqual(Array.from({ length: max_samples }, (_, i) => i + 30));
  expect(withSample(many, sample(40))).toBe(many);
  expect([share(5, 0), share(3, 4), share(9, 4)]).toEqual([0, 0.75, 1]);
  expect(profile([0.5], 100, 40).line).toBe('');
  const numbers = profile([0, 1, 0.5], 100, 40)
    .line.match(/[\d.]+/g)!
    .map(Number);
  expect(numbers.every((one, i) => one >= 0 && one <= (i % 2 ? 40 : 100))).toBe(true);
  expect(numbers.at(-2)).toBe(100);
});

it('finds servers by fuzzy search', () => {
  const valley = 'Valley fabric 1.21.4 local Running';
  expect(fuzzyScore(valley, 'val run')).toBeGreaterThan(0);
  expect(fuzzyScore(valley, 'fbrc')).toBeGreaterThan(0);
  expect(fuzzyScore(valley, 'valley')).toBeGreaterThan(fuzzyScore(valley, 'vly'));
  expect(fuzzyScore(valley, 'forge')).toBe(0);
  expect(fuzzyScore(valley, 'valley stopped')).toBe(0);
});

it('formats durations', () => {
  expect(durationParts(-5)).toEqual({ days: 0, clock: '00:00:00' });
  expect(durationParts(3 * 86_400_000 + 4 * 3_600_000 + 12 * 60_000 + 37_900)).toEqual({
    days: 3,
    clock: '04:12:37',
  });
});
