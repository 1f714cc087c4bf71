import { expect, test } from 'vitest';
import { filterOf, parseQueue, queueAddress } from './queue-query.ts';

const view = (query: string) => parseQueue(new URLSearchParams(query));

test.each([
  ['', '', { sort: 'oldest' }],
  [
    'type=mod&sort=newest&q=+stone+&page=2',
    '?type=mod&sort=newest&q=stone&page=2',
    { sort: 'newest', project_type: 'mod', query: 'stone' },
  ],
  ['type=none', '?type=none', { sort: 'oldest', project_type: 'none' }],
  ['type=boat&sort=best&page=-1', '', { sort: 'oldest' }],
  ['page=1e9&q=%00', '', { sort: 'oldest' }],
])('%s is the view of %s', (given, address, filter) => {
  expect(queueAddress(view(given))).toBe(address);
  expect(filterOf(view(given))).toEqual(filter);
});
