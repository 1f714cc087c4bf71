import { expect, test } from 'vitest';
import { answerKey } from './answer-key.ts';

const sha1 = 'a'.repeat(40);

test.each([
  ['/v2/project/first-stone', 'project', '/v2/project/first-stone'],
  ['/v3/project/AABBCCDD', 'project', '/v3/project/AABBCCDD'],
  ['/v2/version/AABBCCDD', 'version', '/v2/version/AABBCCDD'],
  [`/v2/version_file/${sha1}`, 'version', `/v2/version_file/${sha1}`],
  [`/v2/version_file/${sha1}?x=1&algorithm=sha1`, 'version', `/v2/version_file/${sha1}?algorithm=sha1`],
  ['/v2/tag/game_version?major=true&x=1', 'tags', '/v2/tag/game_version?major=true'],
  ['/v3/loader_field?loader_field=environment', 'tags', '/v3/loader_field?loader_field=environment'],
  ['/v2/project/a/version', 'versions', '/v2/project/a/version'],
  ['/v2/project/a/version?utm=1', 'versions', '/v2/project/a/version'],
  [
    '/v2/project/a/version?limit=2&featured=true&limit=9',
    'versions',
    '/v2/project/a/version?featured=true&limit=2',
  ],
  [
    '/v2/project/a/version?loaders=["fabric"]',
    'versions',
    '/v2/project/a/version?loaders=%5B%22fabric%22%5D',
  ],
])('%s has a ready answer', (url, kind, key) => {
  expect(answerKey(url)).toMatchObject({ kind, url: key });
});

test.each([
  '/v2/project/a/check',
  '/v2/project/a/version/1.0',
  '/v2/project/a%20b',
  '/v2/project/a?x=1',
  '/v2/project/a/version?limit=%',
  `/v2/version_file/${sha1}?algorithm=%`,
  '/v2/version/AABBCCDD?algorithm=sha1',
  `/v2/version_file/${sha1.toUpperCase()}`,
  `/v2/version_file/${sha1}/download`,
  '/v2/user',
  '/v4/project/a',
  '/v2/search',
  `/v2/project/a/version?loaders=${'x'.repeat(1024)}`,
  '/mod/a',
])('%s has none', (url) => {
  expect(answerKey(url)).toBeNull();
});
