import { expect, test } from 'vitest';
import { createLog } from './runtime/log.ts';

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
