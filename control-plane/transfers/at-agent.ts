import { backupAtPlatform } from '#db/hosting/servers/backups/download.ts';
import type { Redeemed } from '#db/hosting/servers/tickets.ts';
import { Refused } from '#db/platform/errors.ts';
import { toRefused } from '#db/platform/postgres/to-refused.ts';
import type { AgentConnection } from '../agent-links/connection.ts';
import { assertLease } from '../agents/reports.ts';
import type { PlaneContext } from '../context.ts';
import { type TransferAnswer, type TransferRequest, transferRequests } from '../protocol/transfers.ts';
import { type HandlerOptions, handleMessage } from '../sockets/handle.ts';
import { downloadHeaders } from './download-headers.ts';
import type { OpenTransfers } from './open-transfers.ts';
import { admitDownload, backupFile, beginBackup, planDownload } from './plan-download.ts';
import type { UploadAccess } from './upload-access.ts';

interface Parts {
  open: OpenTransfers;
  uploads: UploadAccess;
}

type Message<R extends TransferRequest> = (typeof transferRequests)[R]['input']['_zod']['output'];

/** Tells an agent that the right to a transfer is gone, or that it has to wait for another plane. */
const ended = (cut: (why: Refused) => void) => (why?: 'closing') =>
  cut(new Refused(why ? 'plane_away' : 'ticket_invalid'));

/** What a transfer at an agent has taken here, and gives back at its end. */
class AgentTransfer {
  readonly #gives_back: Array<() => unknown> = [];
  #ended = false;

  /** Also after the end: then it is given back at once. */
  async onEnd(give_back: () => unknown): Promise<void> {
    if (this.#ended) await give_back();
    else this.#gives_back.push(give_back);
  }

  async end(): Promise<void> {
    this.#ended = true;
    await Promise.all(this.#gives_back.splice(0).map((give_back) => give_back()));
  }
}

/**
 * Answers what an agent asks about transfers at its own port: only of servers on its node, and by the rules of those that pass
 * here. They end with its connection: the agent ends them then, too.
 */
export function serveAgentTransfers(
  context: PlaneContext,
  agent: AgentConnection,
  handling: HandlerOptions,
  { open, uploads }: Parts,
): void {
  const { sql, log } = context;
  const { node_id, socket } = agent;
  const transfers = new Map<string, AgentTransfer>();
  const failed = (err: unknown) => log.warn({ err, node_id }, 'A transfer at an agent could not be ended');
  socket.once('disconnect', () => {
    for (const transfer of transfers.values()) transfer.end().catch(failed);
    transfers.clear();
  });
  const on = <R extends TransferRequest>(
    name: R,
    handle: (message: Message<R>) => Promise<TransferAnswer<R>>,
  ) =>
    handleMessage(
      socket,
      name,
      transferRequests[name].input,
      { ...handling, output: transferRequests[name].output.loose() },
      async (message) => {
        assertLease(message, agent.lease);
        return await handle(message as never);
      },
    );

  /** Runs `begin` for a new transfer, which goes on until the agent says that it ended. */
  async function begun<T>(
    transfer_id: string,
    begin: (transfer: AgentTransfer, cut: (why: Refused) => void) => Promise<T>,
  ): Promise<T> {
    if (transfers.has(transfer_id)) throw new Refused('operation_mismatch');
    const transfer = new AgentTransfer();
    transfers.set(transfer_id, transfer);
    const cut = ({ status, code: error, message: description }: Refused) =>
      socket.emit('transfer.cut', { transfer_id, why: { status, error, description } });
    try {
      return await begin(transfer, cut);
    } catch (error) {
      transfers.delete(transfer_id);
      await transfer.end();
      throw error;
    }
  }

  /** Has the backup of a ticket sent to `put` at the agent itself. Refuses as `beginBackup`. */
  async function backup(
    ticket: Redeemed,
    put: string,
    transfer: AgentTransfer,
    cut: (why: Refused) => void,
  ): Promise<{ name: string; type: string }> {
    const of = { server_id: ticket.server_id, backup_id: String(ticket.args.backup_id) };
    // its address is of the site
    if (await backupAtPlatform(sql, of, context.now())) throw new Refused('ticket_invalid');
    const { name, failed: why, stop } = await beginBackup(context, ticket, put);
    await transfer.onEnd(stop);
    why.catch((error) => {
      const refused = toRefused(error);
      if (refused) cut(refused);
    });
    return backupFile(name);
  }

  on('transfer.download', ({ transfer_id, secret, range, inline, put }) =>
    begun(transfer_id, async (transfer, cut) => {
      const end = ended(cut);
      const admitted = await admitDownload(context, open, { secret, node_id, end });
      await transfer.onEnd(() => open.delete(admitted.transfer));
      const { ticket } = admitted;
      const { server_id } = ticket;
      if (ticket.kind === 'backup' || ticket.kind === 'export') {
        const file = await backup(ticket, put, transfer, cut);
        return { server_id, status: 200, headers: downloadHeaders({ ...file, inline }), send: null };
      }
      const plan = await planDownload(context, ticket, range ?? undefined, 'itself');
      const { status, send, name, type } = plan;
      const headers = { ...downloadHeaders({ name, type, inline }), ...plan.headers };
      return { server_id, status, headers, send: { offset: 0, ...send } };
    }),
  );
  on('transfer.append', ({ transfer_id, secret }) =>
    begun(transfer_id, async (transfer, cut) => {
      const end = ended(cut);
      const { upload_id, server, release } = await uploads.hold({ secret, node_id }, end);
      await transfer.onEnd(release);
      return { server_id: server.id, upload_id };
    }),
  );
  on('transfer.offset', ({ secret }) => uploads.offset({ secret, node_id }));
  on('transfer.cancel', async ({ secret }) => {
    await uploads.cancel({ secret, node_id });
    return {};
  });
  on('transfer.ended', async ({ transfer_id }) => {
    const transfer = transfers.get(transfer_id);
    transfers.delete(transfer_id);
    await transfer?.end();
    return {};
  });
}
