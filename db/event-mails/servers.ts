import type { Mailing } from '../mail/queue.ts';
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
