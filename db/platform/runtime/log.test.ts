import { expect, test } from 'vitest';
import { createLog } from './log.ts';

test('redacts row values in Postgres errors', () => {
  const lines: string[] = [];
  const log = createLog('test', 'info', { write: (line) => void lines.push(line) });
  const fields = {
    code: '23505',
    constraint_name: 'users_email',
    detail: 'Key (email)=(ada@example.org) already exists.',
    where: 'COPY users, line 1: "ada@example.org"',
    parameters: ['ada@example.org'],
    args: ['ada@example.org'],
  };
  const error = Object.assign(new Error('duplicate key value violates unique constraint'), fields);
  log.error({ err: error }, 'A request failed');
  log.error(error);
  expect(lines.join('')).toContain('users_email');
  expect(lines.join('')).not.toContain('ada@example.org');
});

test('redacts requests of HTTP clients in their errors, with the keys that they have', () => {
  const lines: string[] = [];
  const log = createLog('test', 'info', { write: (line) => void lines.push(line) });
  const request = { url: 'https://api.example/orders', headers: { Authorization: 'Bearer key_of_a_test' } };
  const failure = (): Error =>
    Object.assign(new Error('Request failed with status code 401'), {
      ...{ config: request, request: { _header: 'Authorization: Bearer key_of_a_test' } },
      response: { status: 401, config: request, request },
    });
  log.warn({ err: failure(), payout_id: 'p' }, 'A provider of payouts gave no answer');
  log.error(failure());
  log.error({ error: failure() }, 'It failed');
  log.error({ err: new AggregateError([failure(), failure()], 'Both failed') }, 'They failed');
  const told = lines.join('');
  expect(told).toContain('Request failed with status code 401');
  expect(told).not.toContain('key_of_a_test');
});

test('a text with line breaks and control characters stays one value of one line', () => {
  const lines: string[] = [];
  const log = createLog('test', 'info', { write: (line) => void lines.push(line) });
  const hostile = 'a\n{"level":"error","msg":"forged"}\r\u001b[31m';
  log.warn({ path: hostile }, hostile);
  expect(lines.join('').trimEnd().split('\n')).toHaveLength(1);
  expect(lines.join('')).not.toContain('\u001b');
  expect(JSON.parse(lines[0]!)).toMatchObject({ level: 'warn', path: hostile, msg: hostile });
  expect(JSON.parse(lines[0]!).time).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
});
