import { pino } from 'pino';
import type { Namespace } from 'socket.io';
import { expect, it, vi } from 'vitest';
import { token, user } from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import type { Consoles } from '../console/consoles.ts';
import { type PanelConnection, PanelSubscriptions } from './subscriptions.ts';

const database = testDatabase();

it('a connection that is made while access is revalidated stays', async () => {
  const { sql } = database;
  const context = { sql, log: pino({ level: 'silent' }), now: () => new Date() };
  const subscriptions = new PanelSubscriptions(context, {} as Namespace, {} as Consoles);
  const disconnect = vi.fn();
  const connected = (key: string) =>
    subscriptions.connections.add({
      socket: { disconnect },
      token: key,
      joined: new Map(),
    } as unknown as PanelConnection);
  connected(await token(sql, await user(sql)));
  const newer = await token(sql, await user(sql));
  const revalidation = subscriptions.revalidateAccess();
  connected(newer);
  await revalidation;
  expect(disconnect).not.toHaveBeenCalled();

  connected('mrp_revoked');
  await subscriptions.revalidateAccess();
  expect(disconnect).toHaveBeenCalledOnce();
});
