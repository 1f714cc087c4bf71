import { expect, test } from 'vitest';
import { type EventName, eventNames } from '#db/platform/events/catalogue.ts';
import type { Event } from '#db/platform/events/read.ts';
import { type Invalidations, invalidationsOf, ttlOf } from './ttl.ts';

const nothing: Omit<Invalidations, 'things'> = { all: false, lists: false, named: true, counted: [] };
const happened = (name: EventName, data: Record<string, unknown> = {}) =>
  invalidationsOf([{ name, data, project_id: 'P0000001' } as unknown as Event]);

test('what every event invalidates in lists', () => {
  const expected: Partial<Record<EventName, typeof nothing>> = {
    'catalogue.loaded': { ...nothing, all: true, lists: true, named: false },
    'catalogue.versions_added': { ...nothing, all: true, lists: true, named: false },
    'project.counted': { ...nothing, counted: ['P0000001'] },
    'project.deleted': { ...nothing, lists: true },
    'project.moved': { ...nothing, lists: true },
    'user.deleted': { ...nothing, lists: true },
  };
  for (const name of eventNames) expect(happened(name), name).toMatchObject(expected[name] ?? nothing);
});

test('whatever may add something that anybody sees says so, counters do not', () => {
  for (const name of [
    'project.created',
    'project.edited',
    'project.moved',
    'version.published',
    'version.edited',
  ] as const)
    expect(happened(name).things, name).toBe(true);
  for (const name of ['project.counted'] as const) expect(happened(name).things, name).toBe(false);
});

test('a project that becomes public leaves lists to expire, one that was public is gone at once', () => {
  for (const from of ['draft', 'processing', 'rejected', 'withheld', 'scheduled'])
    expect([from, happened('project.moved', { from, to: 'approved' }).lists]).toEqual([from, false]);
  for (const from of ['approved', 'archived', 'unlisted', 'private'])
    expect([from, happened('project.moved', { from, to: 'rejected' }).lists]).toEqual([from, true]);
});

test('a recount that names its projects leaves other pages cached', () => {
  expect(happened('catalogue.loaded', { project_ids: ['A'] })).toMatchObject({
    ...nothing,
    lists: true,
    named: false,
  });
  expect(happened('project.counted', { project_ids: ['A', 'B', 3] }).counted).toEqual(['A', 'B']);
});

test.each([
  [['project:a'], 600_000],
  [['project:a', 'counts'], 60_000],
  [['search:mod', 'counts', 'project:a'], 1_000],
  [['list:news'], 1_000],
  [[], 60_000],
  [['searching:x'], 600_000],
])('a page tagged %j is cached for %d ms', (tags, age) => {
  expect(ttlOf(tags)).toBe(age);
});
