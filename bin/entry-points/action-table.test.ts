import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../install.mjs';
import { actionTable, actionTablePath, actionTableText } from './action-table.ts';

const rows = actionTable();

/** Actions whose routes of the API demand different scopes, and why that weakens nothing. */
const differing: Record<string, string> = {
  'db/catalogue/review-locks/write.ts releaseLock':
    'the page that closes sends it as a beacon, which carries the session and no header; it ends an own lock alone',
  'db/catalogue/uploads/write.ts consumeUploads':
    'uploads become a version or files of one: two actions, each with its scope',
  'db/accounts/sign-in/password-change.ts removePassword':
    'whoever changes a forgotten password has no session: the route asks for one where there is no link',
};

test('the table of actions names every entry point that there is', () => {
  const known = readFileSync(join(root, actionTablePath), 'utf8');
  expect(JSON.parse(known), 'run: node bin/actions.ts').toEqual(JSON.parse(actionTableText(rows)));
  expect(rows.length).toBeGreaterThan(150);
});

test('routes of the API to one action demand the same scopes', () => {
  const wrong = rows
    .map(({ action, entries }) => ({
      action,
      needs: new Set(entries.filter(({ kind }) => kind === 'api').map(({ needs }) => needs)),
    }))
    .filter(({ action, needs }) => (needs.size > 1 || needs.has(null)) && !Object.hasOwn(differing, action));
  expect(wrong).toEqual([]);
});

test('an action that a socket leads to looks at the scopes itself', () => {
  const wrong = rows
    .filter(({ scopes, entries }) => !scopes && entries.some(({ kind, needs }) => kind === 'panel' && !needs))
    .map(({ action }) => action);
  expect(wrong).toEqual([]);
});

test('what differs is still there', () => {
  const names = rows.map(({ action }) => action);
  expect(Object.keys(differing).filter((action) => !names.includes(action))).toEqual([]);
});
