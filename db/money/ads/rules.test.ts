import { describe, expect, it } from 'vitest';
import { chooseAd, earnedBy, type Showable } from './rules.ts';

const ad = (id: string, given: Partial<Showable> = {}): Showable => ({
  ...{ id, places: ['search', 'project'], from: null, until: null, weight: 1 },
  ...given,
});
const at = new Date('2026-11-27T10:00:00Z');
const choose = (ads: Showable[], page = '/mods', when = at, place: 'search' | 'project' = 'search') =>
  chooseAd(ads, { place, page, at: when })?.id ?? null;

describe('the ad of a place', () => {
  it('is one of its place, and none without ads', () => {
    expect(choose([])).toBeNull();
    expect(choose([ad('a', { places: ['project'] })])).toBeNull();
    expect(choose([ad('a', { places: ['project'] })], '/mod/x', at, 'project')).toBe('a');
  });

  it.each([
    ['2026-11-26T23:59:59Z', null],
    ['2026-11-27T00:00:00Z', 'a'],
    ['2026-11-28T23:59:59Z', 'a'],
    ['2026-11-29T00:00:00Z', null],
  ])('is shown from its first day to its last in UTC: at %s %s', (when, expected) => {
    const ads = [ad('a', { from: '2026-11-27', until: '2026-11-28' })];
    expect(choose(ads, '/mods', new Date(when))).toBe(expected);
  });

  it('is the same for everybody within an hour, and changes with page and hour', () => {
    const ads = ['a', 'b', 'c', 'd'].map((id) => ad(id));
    expect(choose(ads, '/mods', new Date('2026-11-27T10:59:59Z'))).toBe(choose(ads));
    const hours = Array.from({ length: 24 }, (_, hour) => new Date(Date.UTC(2026, 10, 27, hour)));
    expect(new Set(hours.map((hour) => choose(ads, '/mods', hour))).size).toBe(4);
    expect(new Set(hours.map((_, page) => choose(ads, `/mod/${page}`))).size).toBe(4);
  });

  it('is each as often as its weight says', () => {
    const ads = [ad('a', { weight: 6 }), ad('b', { weight: 3 }), ad('c')];
    const counts: Record<string, number> = {};
    for (let page = 0; page < 20_000; page++) {
      const id = choose(ads, `/mod/project-${page}`)!;
      counts[id] = (counts[id] ?? 0) + 1;
    }
    for (const [id, share] of Object.entries({ a: 0.6, b: 0.3, c: 0.1 }))
      expect(counts[id]! / 20_000).toBeCloseTo(share, 1.7);
  });
});

it('impressions earn whole minor units, rounded down', () => {
  expect(earnedBy(0, 250)).toBe(0);
  expect(earnedBy(3, 250)).toBe(0);
  expect(earnedBy(4, 250)).toBe(1);
  expect(earnedBy(1_999, 1)).toBe(1);
  expect(earnedBy(1_000_000, 250)).toBe(250_000);
});
