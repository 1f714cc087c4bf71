import { expect, test } from 'vitest';
import { requestCost } from './request-cost.ts';

const ids = (count: number) => JSON.stringify(Array.from({ length: count }, () => 'AABBCCDD'));
const json = (bytes: number) => ({ type: 'application/json', bytes });

test.each<[string, string, { type: string; bytes: number } | null, number]>([
  ['a project', '/v2/project/lanternroot', null, 1],
  ['a hundred ids', `/v2/projects?ids=${ids(100)}`, null, 1],
  ['eight hundred ids', `/v2/projects?ids=${encodeURIComponent(ids(800))}`, null, 8],
  ['three thousand ids', `/v3/projects?ids=${ids(3000)}`, null, 30],
  ['commas of a filter', `/v2/search?facets=${ids(300)}`, null, 1],
  ['the first pages', '/v2/search?offset=9900&limit=100', null, 1],
  ['a deep offset', '/v2/search?limit=100&offset=50000', null, 6],
  ['an endless offset', '/v2/search?offset=99999999999999999999', null, 60],
  ['a hundred hashes', '/v2/version_files', json(13_500), 1],
  ['four thousand hashes', '/v2/version_files/update', json(4_096 * 43), 11],
  ['an upload', '/v2/version', { type: 'multipart/form-data; boundary=b', bytes: 5e8 }, 1],
  ['a plan of what to install', '/v3/content/resolve', json(200), 5],
  ['dependencies', '/v2/project/lanternroot/dependencies', null, 2],
])('%s', (_, target, body, cost) => {
  expect(requestCost(target, body)).toBe(cost);
});
