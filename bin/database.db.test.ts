import { beforeAll, describe, expect, it } from 'vitest';
import type { AppContext } from '#db/context.ts';
import { setFact } from '#db/platform/installation.ts';
import { parseSettings } from '#db/platform/runtime/env.ts';
import { testDatabase } from '#db/testing/database.ts';
import { seedOnce } from './database.ts';
import { UserError } from './user-error.ts';

const database = testDatabase();

/** Calls `seedOnce` as if the product started with `env`; a seeded database needs no other services. */
const seed = (env: Record<string, string | undefined>): Promise<unknown> =>
  seedOnce({ sql: database.sql, settings: parseSettings(env) } as AppContext).catch((error) => error);

describe('a database with demo accounts', () => {
  beforeAll(() => setFact(database.sql, 'seeded', { kind: 'demo', at: '2026-01-01T00:00:00.000Z' }));

  it.each([
    { HOST: '0.0.0.0' },
    { SITE_URL: 'https://mods.example.org' },
    { TRUST_PROXY: 'loopback' },
    { SEED: 'none', SITE_URL: 'https://mods.example.org' },
  ])('is refused with %j, which exposes it', async (env) => {
    const answer = await seed(env);
    expect(answer).toBeInstanceOf(UserError);
    const [name, value] = Object.entries(env).at(-1)!;
    expect((answer as UserError).message).toContain(`${name}=${value}`);
  });

  it.each([{}, { SEED: 'none' }, { SEED: 'demo', HOST: '0.0.0.0', TRUST_PROXY: 'loopback' }])(
    'is served with %j',
    async (env) => expect(await seed(env)).toMatchObject({ kind: 'demo' }),
  );
});
