import { type Mailing, queueMail } from '../mail/queue.ts';
import { notify } from '../notifications/write.ts';
import { serversById } from '../servers/read.ts';
import type { Db } from '../sql.ts';
import { billingBody, tellPayer } from './tell.ts';

/** Tells the owner of a new server that it is ready, and where players join it. */
export async function tellOfReadyServer(
  tx: Db,
  mailing: Mailing,
  server_id: string,
  now: Date,
): Promise<void> {
  const [server] = await serversById(tx, [server_id], now);
  const [owner] = await tx<Array<{ id: string; username: string }>>`
    select p.id, p.username from servers s join users p on p.id = s.owner_id where s.id = ${server_id}`;
  if (!server || !owner) return;
  const { name: service, address: at } = server.view;
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
  const [server] = await serversById(tx, [server_id], now);
  const [owner] = await tx<Array<{ id: string; username: string }>>`
    select p.id, p.username from servers s join users p on p.id = s.owner_id where s.id = ${server_id}`;
  const host = server?.view.address?.host;
  if (!server || !owner || host === undefined) return;
  const { name } = server.view;
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
