import { expect, test } from 'vitest';
import { isApiPath, wantsApiRoot } from './root.ts';

test.each([
  [null, true],
  ['application/json', true],
  ['application/json, text/plain', true],
  ['text/html,application/xhtml+xml,*/*;q=0.8', false],
  ['text/html, application/json', false],
  ['*/*', false],
])('a request for / with Accept %j wants JSON: %s', (accept, wants) => {
  const headers: Record<string, string> = accept === null ? {} : { accept };
  expect(wantsApiRoot(new Request('http://x/', { headers }))).toBe(wants);
});

test.each([
  ['/v2', true],
  ['/v2/tag/loader', true],
  ['/v3/x', true],
  ['/_internal/viewer', true],
  ['/api/v1/mod', true],
  ['/build', true],
  ['/', false],
  ['/v2x', false],
  ['/mod/v2', false],
  ['/api', false],
])('%s belongs to the API: %s', (path, belongs) => {
  expect(isApiPath(path)).toBe(belongs);
});
