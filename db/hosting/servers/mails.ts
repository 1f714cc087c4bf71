import { type Mailing, queueMail } from '../../messages/mail/queue.ts';
import { billingBody, tellPayer } from '../../messages/mail/tell-payer.ts';
import { notify } from '../../messages/notifications/write.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { serversById } from './read.ts';

/** A server as its panel shows it, and whose it is; null when it is gone. */
async function ownedServer(db: Db, server_id: string, now: Date) {
  const [server] = await serversById(db, [server_id], now);
  const [owner] = await db<Array<{ id: string; username: string }>>`
    select p.id, p.username from servers s join users p on p.id = s.owner_id where s.id = ${server_id}`;
  return server && owner ? { owner, view: server.view } : null;
}

/** Tells the owner of a new server that it is ready, and where players join it. */
export async function tellOfReadyServer(
  tx: Db,
  mailing: Mailing,
  server_id: string,
  now: Date,
): Promise<void> {
  const owned = await ownedServer(tx, server_id, now);
  if (!owned) return;
  const { owner, view } = owned;
  const { name: service, address: at } = view;
  const address = at && `${at.host}:${at.port}`;
  await tellPayer(tx, mailing, {
    ...{ user_id: owner.id, now },
    body: billingBody('server_ready', { service, server_id }),
    mail: {
      template: 'server_ready',
      data: { username: owner.username, service, address, link: `/servers/manage/${server_id}` },
    },
  });
}

/** Tells the owner of a server that its port changed, and what players type from now on. */
export async function tellOfPort(
  tx: Db,
  mailing: Mailing,
  { server_id, from, to }: { server_id: string; from: string; to: string },
  now: Date,
): Promise<void> {
  const owned = await ownedServer(tx, server_id, now);
  const host = owned?.view.address?.host;
  if (!owned || host === undefined) return;
  const { owner, view } = owned;
  const { name } = view;
  const addresses = { before: `${host}:${from}`, after: `${host}:${to}` };
  await notify(
    tx,
    [owner.id],
    { type: 'server_port', body: { server_id, name, ...addresses } },
    `port:${server_id}`,
  );
  await queueMail(tx, mailing, {
    ...{ template: 'server_port', to: null, user_id: owner.id, now },
    data: { username: owner.username, service: name, ...addresses, link: `/servers/manage/${server_id}` },
  });
}
