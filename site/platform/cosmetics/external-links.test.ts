import { expect, test } from 'vitest';
import { leaves } from './external-links.ts';

test.each([
  ['https://elsewhere.example/a', null, true],
  ['http://cairn.example/a', null, true],
  ['https://cairn.example/a', null, false],
  ['https://cdn.example/data/x.jar', '', false],
  ['https://cdn.example/data/x.jar', 'x.jar', false],
  ['mailto:ada@elsewhere.example', null, false],
  ['javascript:void 0', null, false],
  ['', null, false],
])('a link to %j (download %j) leaves https://cairn.example: %s', (href, download, away) => {
  expect(leaves({ href, download }, 'https://cairn.example')).toBe(away);
});
