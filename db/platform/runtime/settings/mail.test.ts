import { expect, test } from 'vitest';
import { parseSettings } from '../env.ts';

const secret = `whsec_${'a'.repeat(32)}`;

test('addresses of staff are read from one line', () => {
  expect(parseSettings({ STAFF_EMAIL: ' a@example.org, b@example.org ,' }).STAFF_EMAIL).toEqual([
    'a@example.org',
    'b@example.org',
  ]);
  expect(parseSettings({}).STAFF_EMAIL).toEqual([]);
});

test.each([{ STAFF_WEBHOOK_URL: 'https://hooks.example.org' }, { STAFF_WEBHOOK_SECRET: secret }])(
  'the webhook and its secret need each other',
  (given) => {
    expect(() => parseSettings(given)).toThrow(/need each other/);
  },
);
