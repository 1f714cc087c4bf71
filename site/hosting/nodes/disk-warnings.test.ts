import { expect, it } from 'vitest';
import { diskWarnings } from './disk-warnings.ts';

it('a node with hard limits and room has no warning, nor has one that has not reported', () => {
  expect(diskWarnings({ disk_mode: 'image', disk_measured: 0, disk_room: 'enough' })).toEqual([]);
  expect(diskWarnings({})).toEqual([]);
});

it('a node that only measures says so, and why', () => {
  const why = 'only root may mount';
  expect(diskWarnings({ disk_mode: 'measured', disk_measured: 3, disk_why: why })).toEqual([
    { text: 'nodes.disk_open', why },
  ]);
  expect(diskWarnings({ disk_mode: 'measured' })).toEqual([{ text: 'nodes.disk_open', why: null }]);
});

it('a node with hard limits counts the servers that are older', () => {
  expect(diskWarnings({ disk_mode: 'image', disk_measured: 2 })).toEqual([
    { text: 'nodes.disk_old', count: 2 },
  ]);
});

it.each([
  ['low', 'nodes.disk_room_low'],
  ['none', 'nodes.disk_room_none'],
  ['exhausted', 'nodes.disk_room_none'],
])('a node whose reserve is used says it first: %s', (disk_room, text) => {
  expect(diskWarnings({ disk_mode: 'image', disk_room })[0]).toEqual({ text });
  expect(diskWarnings({ disk_mode: 'measured', disk_room })).toHaveLength(2);
});
