import { randomUUID } from 'node:crypto';
import { createToken, deleteToken } from '#db/accounts/tokens/write.ts';
import { type AppContext, openContext } from '#db/context.ts';
import { demoAccounts } from '#db/demo/demo.ts';
import { getFact, setFact } from '#db/platform/installation.ts';
import { userByIdOrName } from '#db/platform/people/read.ts';
import type { Settings } from '#db/platform/runtime/env.ts';

/** The value of `installation.demo_server`: one operation each, however often a start tries. */
interface DemoServer {
  create: string;
  start: string;
  /** Whether it was ordered and started; later changes by users are kept. */
  done: boolean;
}

const name = 'Valley';
export const demoServerOwner = demoAccounts[3]!;
const minutes = 60_000;

/** Whether the demo game server still has to be created. */
export const wantsDemoServer = async ({ sql }: Pick<AppContext, 'sql'>): Promise<boolean> =>
  !(await getFact<DemoServer>(sql, 'demo_server'))?.done;

/**
 * Orders and starts the demo game server through the running product, as its owner would: an order with the test
 * processor, then power on. Safe to retry.
 */
export async function makeDemoServer(settings: Settings): Promise<void> {
  const { localUrl, withControlPlane } = await import('./cairn/control-client.ts');
  const record = openContext(settings, 'start', { connections: 2 });
  const { sql, now } = record;
  try {
    const before = await getFact<DemoServer>(sql, 'demo_server');
    if (before?.done) return;
    const wish = before ?? { create: randomUUID(), start: randomUUID(), done: false };
    if (!before) await setFact(sql, 'demo_server', wish);
    const owner = await userByIdOrName(record, demoServerOwner);
    if (!owner) return;
    const expires = new Date(now().getTime() + 10 * minutes);
    const scopes = ['SERVER_READ', 'SERVER_CREATE', 'SERVER_WRITE'] as const;
    const { id: token_id, access_token: token } = await sql.begin((tx) =>
      createToken(tx, {
        user_id: owner.id,
        name: 'The first start',
        scopes,
        expires,
        now: now(),
        mailing: null,
        by: null,
      }),
    );
    try {
      await withControlPlane({ url: localUrl(), token }, async (plane) => {
        const kind = settings.SERVER_KIND;
        const asked = { op_id: wish.create, name, plan: 'small', kind, terms_accepted: true };
        const { id: server_id } = await plane.request('server.create', asked);
        await plane.request('server.power', { server_id, op_id: wish.start, action: 'start' });
      });
    } finally {
      await sql.begin((tx) => deleteToken(tx, { id: token_id, user_id: owner.id }));
    }
    await setFact(sql, 'demo_server', { ...wish, done: true });
  } finally {
    await record.close();
  }
}
