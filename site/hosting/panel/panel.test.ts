import { describe, expect, it } from 'vitest';
import { durationText } from '#content/durations.ts';
import { islandMessages } from '#content/island-messages.ts';
import { languageRows, messages } from '#content/messages.ts';
import { lifecycles, powers, suspensions } from '#db/hosting/servers/rules.ts';
import { messageReader } from '../../platform/text/message-reader.ts';
import { fuzzyScore } from '../list/fuzzy.ts';
import { panelPrefixes } from '../shared/panel-prefixes.ts';
import {
  brokenText,
  hasCrashCard,
  isInTransition,
  stateView,
  stopsFirst,
  waitsForRestart,
  whileActing,
  willRestart,
} from '../shared/state.ts';
import { durationParts } from '../shared/time.ts';
import { inUnit } from './console/size-unit.ts';
import { cpuTop, profile, type Sample, share, withSamples } from './core/stats.ts';

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

  it('tell one that sleeps from one that is off', () => {
    const sleeping = { ...server, state: 'stopped', sleeping: true } as typeof server;
    expect(stateView(sleeping)).toMatchObject({
      text: 'servers.state_sleeping',
      reason: 'servers.why_sleeping',
    });
    expect(stateView({ ...sleeping, sleeping: false, icon: null }).text).toBe('servers.state_stopped');
    expect(stateView({ ...sleeping, state: 'unknown' }).text).toBe('servers.state_unknown');
    expect(whileActing(sleeping, 'start').state).toBe('starting');
  });

  it('name the reason of a suspension, also an unknown one', () => {
    const why = (reason: string) =>
      stateView({ ...server, lifecycle: 'suspended', lifecycle_data: { reason } }).reason;
    expect(new Set(suspensions.map(why)).size).toBe(suspensions.length);
    expect(why('something new')).toBe(why('other'));
  });

  it('restart automatically after a crash, unless in a crash loop or meant to be off', () => {
    const crash = { exit_code: 1, out_of_memory: false, last_lines: [], held: false, restart_at: null };
    const crashed = { ...server, state: 'crashed', crash } as typeof server;
    expect(willRestart(crashed)).toBe(true);
    expect(willRestart({ ...crashed, power_wanted: 'off' })).toBe(false);
    expect(willRestart({ ...crashed, crash: { ...crash, held: true } })).toBe(false);
    expect(willRestart({ ...crashed, state: 'running' })).toBe(false);
    // the card is for a crash that somebody has to do something about
    expect(hasCrashCard(crashed)).toBe(false);
    expect(hasCrashCard({ ...crashed, power_wanted: 'off' })).toBe(true);
    expect(hasCrashCard({ ...crashed, crash: { ...crash, held: true } })).toBe(true);
  });

  it('stop before their files are replaced unless they are down and stay down', () => {
    const stops = (state: string, power_wanted: 'on' | 'off') =>
      stopsFirst({ ...server, state, power_wanted } as typeof server);
    for (const state of ['starting', 'running', 'stopping']) expect(stops(state, 'off'), state).toBe(true);
    expect([stops('stopped', 'off'), stops('crashed', 'off')]).toEqual([false, false]);
    // the agent starts it again any moment, or a player does
    expect([stops('crashed', 'on'), stops('stopped', 'on')]).toEqual([true, true]);
  });

  it('show what a requested action leads to before the node reports it', () => {
    const shownAfter = (state: string, action: Parameters<typeof whileActing>[1], lifecycle = 'ready') =>
      whileActing({ ...server, state, lifecycle } as typeof server, action).state;
    expect(shownAfter('stopped', 'start')).toBe('starting');
    expect(shownAfter('crashed', 'start')).toBe('starting');
    expect(shownAfter('running', 'stop')).toBe('stopping');
    // reported meanwhile, nothing requested, not yet possible
    expect(shownAfter('running', 'start')).toBe('running');
    expect(shownAfter('stopped', null)).toBe('stopped');
    expect(shownAfter('stopped', 'start', 'installing')).toBe('stopped');
  });

  it('are asked for more often while they are about to change', () => {
    const changes = (lifecycle: string, state: string) =>
      isInTransition({ ...server, lifecycle, state } as typeof server);
    expect(changes('ready', 'starting')).toBe(true);
    expect(changes('installing', 'installing')).toBe(true);
    expect(changes('ready', 'running')).toBe(false);
    expect(changes('suspended', 'stopped')).toBe(false);
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

it('shows a size in KB below 1 MB, and in GB as plans do', () => {
  expect([0.017, 1, 92, 1023, 4096].map(inUnit)).toEqual([
    { size: 0.017 * 1024, unit: 'servers.kb' },
    { size: 1, unit: 'servers.mb' },
    { size: 92, unit: 'servers.mb' },
    { size: 1023, unit: 'servers.mb' },
    { size: 4, unit: 'servers.gb' },
  ]);
});

it('keeps the statistics of the last minute in order, and draws them inside the graph', () => {
  const sample = (at: number) => ({ at: at * 1000 }) as Sample;
  const many = Array.from({ length: 90 }, (_, at) => sample(at)).reduce(
    (all, one) => withSamples(all, [one]),
    [] as readonly Sample[],
  );
  expect(many.map(({ at }) => at)).toEqual(Array.from({ length: 60 }, (_, i) => (i + 30) * 1000));
  // a history that arrives after the first live sample goes before it, without repeating it
  const merged = withSamples([sample(9)], [sample(7), sample(8), sample(9)]);
  expect(merged.map(({ at }) => at)).toEqual([7000, 8000, 9000]);
  expect([share(5, 0), share(3, 4), share(9, 4)]).toEqual([0, 0.75, 1]);
  expect(profile([{ at: 0, value: 0.5 }], 100, 40).line).toBe('');
  const points = [0, 1, 0.5].map((value, i) => ({ at: i * 15_000, value }));
  const numbers = profile(points, 100, 40)
    .line.match(/[\d.]+/g)!
    .map(Number);
  expect(numbers).toEqual([50, 39, 75, 1, 100, 20]);
});

it('draws a small load large enough to be seen', () => {
  const idle = [0.003, 0.05].map((value, i) => ({ at: i * 1000, value }));
  expect(profile(idle, 100, 42, 0.1).line).toMatch(/L100 21$/);
  expect(cpuTop([0.003, 0.05])).toBe(0.1);
  expect(cpuTop([0.003, 0.6])).toBe(0.6);
});

it('says roughly how long a server has been off', () => {
  const hour = 3_600_000;
  const said = [-5, 50_000, 3 * hour + 5, 25 * hour, 400 * 24 * hour].map((ms) =>
    durationText('en-US', ms, 'short'),
  );
  expect(said).toEqual(['1 min', '1 min', '3 hr', '1 day', '400 days']);
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
