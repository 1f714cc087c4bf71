import { repositoryPassword } from '#db/hosting/servers/backups/passwords.ts';
import { forgetStoreRemains, takeStoreRemains } from '#db/hosting/servers/backups/remains.ts';
import {
  commitBackupTransfer,
  openBackupTransfer,
  removeStoredFile,
} from '#db/hosting/servers/backups/transfers.ts';
import { Refused } from '#db/platform/errors.ts';
import type { AgentConnection } from '../agent-links/connection.ts';
import type { PlaneContext } from '../context.ts';
import { type StorageRequest, storageRequests } from '../protocol/backups.ts';
import { type HandlerOptions, handleMessage } from '../sockets/handle.ts';
import { assertLease } from './reports.ts';

/** Backups that an agent is told to remove from its store at a time. */
const max_discarded = 20;

const address_path = '/transfers?backup=';

/** Answers what an agent asks about backups at the platform: only of servers on its node, and under its lease. */
export function handleBackupMessages(
  context: PlaneContext,
  agent: AgentConnection,
  handling: HandlerOptions,
): void {
  const { sql, storage, sealer, now } = context;
  const asking = { node_id: agent.node_id, lease: agent.lease };
  const on = <R extends StorageRequest>(
    name: R,
    handle: (message: (typeof storageRequests)[R]['input']['_zod']['output']) => Promise<object>,
  ) =>
    handleMessage(
      agent.socket,
      name,
      storageRequests[name].input,
      { ...handling, output: storageRequests[name].output.loose() },
      async (message) => {
        assertLease(message, agent.lease);
        return await handle(message as never);
      },
    );
  on('backup.address', async ({ lease: _, ...file }) => ({
    address: `${address_path}${await openBackupTransfer(sql, asking, file, now())}`,
  }));
  on('backup.commit', async ({ address, bytes, sha256 }) => {
    if (!address.startsWith(address_path)) throw new Refused('ticket_invalid');
    const secret = address.slice(address_path.length);
    await commitBackupTransfer(sql, storage, asking, { secret, bytes, sha256 }, now());
    return {};
  });
  on('backup.remove', async ({ lease: _, ...file }) => {
    await removeStoredFile(sql, storage, asking, file);
    return {};
  });
  on('backup.password', async ({ server_id, offered }) => ({
    password: await repositoryPassword(sql, sealer, asking, { server_id, offered }),
  }));
}

/** Lets an agent remove backups of deleted servers from its store; what it could not is tried again later. */
export async function discardRemains(
  { sql, now }: Pick<PlaneContext, 'sql' | 'now'>,
  agent: AgentConnection,
): Promise<void> {
  const backups = await takeStoreRemains(sql, agent.node_id, now(), max_discarded);
  if (backups.length > 0) await forgetStoreRemains(sql, await agent.discardBackups(backups));
}
