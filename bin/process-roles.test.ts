import { expect, it } from 'vitest';
import { parseSettings } from '#db/platform/runtime/env.ts';
import { no_secrets } from './process-roles.ts';

it('takes all secrets from a process, the addresses of the database among them', () => {
  const env = {
    DATABASE_URL: 'postgres://cairn:secret@db/cairn',
    ADMIN_KEY: 'key-of-the-operator',
    SMTP_URL: 'smtps://cairn:secret@mail.example.org:465',
    LOG_LEVEL: 'debug',
  };
  const { LOG_LEVEL, DATABASE_URL, ADMIN_KEY, SMTP_URL } = parseSettings({ ...env, ...no_secrets });
  expect({ LOG_LEVEL, DATABASE_URL, ADMIN_KEY, SMTP_URL }).toEqual({ LOG_LEVEL: 'debug' });
});
