import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { sendBackup } from '#db/hosting/servers/backups/download.ts';
import { operationById } from '#db/hosting/servers/operations/operations.ts';
import { type Redeemed, redeemTicket } from '#db/hosting/servers/tickets.ts';
import { Refused } from '#db/platform/errors.ts';
import { askFiles, type FileQueryInput, refusalOfAgent } from '../agents/ask-files.ts';
import type { PlaneContext } from '../context.ts';
import { requestedRange } from './download-headers.ts';
import type { OpenTransfer, OpenTransfers } from './open-transfers.ts';

/** What the holder of a ticket is sent, whoever sends it. */
export interface DownloadPlan {
  status: 200 | 206;
  name: string;
  type: string;
  /** Bytes that follow, as far as is known before the agent sends. */
  bytes: number | null;
  headers: Record<string, string>;
  /** What the agent is asked for. */
  send: Omit<FileQueryInput<'send'>, 'put'>;
}

/** An agent that has not accepted the operation by then is away. */
const accept_ms = 60_000;

/**
 * Redeems a ticket and counts its download among those that go on here. `node_id`: only one of this node. `end` cuts it off.
 * Refuses as `redeemTicket` and `OpenTransfers.add`.
 */
export async function admitDownload(
  { sql, now, log }: Pick<PlaneContext, 'sql' | 'now' | 'log'>,
  open: OpenTransfers,
  { secret, node_id = null, end }: { secret: string; node_id?: string | null; end: OpenTransfer['end'] },
): Promise<{ ticket: Redeemed; transfer: OpenTransfer }> {
  const admitted = await sql.begin(async (tx) => {
    const ticket = await redeemTicket(tx, secret, now(), node_id);
    const { server_id, user_id, token_hash } = ticket;
    const kind = ticket.kind === 'file' ? 'download' : 'archive';
    const transfer = { server_id, user_id, token_hash, kind, ticket: ticket.kind, end } as const;
    // refused here, the transaction is rolled back: the ticket is still good
    open.add(transfer);
    return { ticket, transfer };
  });
  const { server_id, node_id: on_node, user_id, kind } = admitted.ticket;
  log.info({ server_id, node_id: on_node, user_id, kind }, 'Download from a server requested');
  return admitted;
}

/**
 * What a ticket for files stands for. `itself`: the agent sends a whole file itself, with its length and etag, and needs no question
 * before. Refuses `file_not_found`, `range_invalid` and as `askFiles`.
 */
export async function planDownload(
  context: PlaneContext,
  { kind, args, name, server_id, node_id }: Redeemed,
  wanted: string | undefined,
  itself?: 'itself',
): Promise<DownloadPlan> {
  if (kind !== 'file') {
    const all = { paths: [''], as: 'tar.zst' as const };
    const send = kind === 'archive' ? all : (args as { paths: string[]; as: 'zip' | 'tar.zst' });
    const only = send.paths.length === 1 ? send.paths[0]!.split('/').at(-1) : '';
    const type = send.as === 'zip' ? 'application/zip' : 'application/zstd';
    return { status: 200, name: `${only || name}.${send.as}`, type, bytes: null, headers: {}, send };
  }
  const [path = ''] = args.paths as string[];
  const type = 'application/octet-stream';
  const send = { paths: [path], as: 'file' as const };
  const whole = { 'accept-ranges': 'bytes' };
  if (itself && wanted === undefined)
    return { status: 200, name: path.split('/').at(-1)!, type, bytes: null, headers: whole, send };
  // before its bytes: a file that changes in between has another etag when it is saved
  const { entries } = await askFiles(context, { id: server_id, node_id: node_id! }, 'stat', {
    paths: [path],
  });
  const entry = entries[0];
  if (!entry) throw new Refused('file_not_found', { path });
  const range = requestedRange(wanted, entry.bytes);
  const part = range && `bytes ${range.offset}-${range.offset + range.length - 1}/${entry.bytes}`;
  return {
    status: range ? 206 : 200,
    name: entry.name,
    type,
    bytes: range ? range.length : entry.bytes,
    headers: {
      ...whole,
      etag: `"${entry.etag}"`,
      ...(part ? { 'content-range': part } : {}),
    },
    send: { ...send, ...range },
  };
}

/**
 * Lets the agent send the backup of a ticket to `put`, by an operation, which may take long to begin. `failed` rejects when that
 * ends before `stop`. Refuses as `sendBackup`.
 */
export async function beginBackup(
  { sql, now, operationEnded }: Pick<PlaneContext, 'sql' | 'now' | 'operationEnded'>,
  { server_id, user_id, args }: Redeemed,
  put: string,
): Promise<{ name: string; failed: Promise<never>; stop(): void }> {
  const [op_id, waiting] = [randomUUID(), new AbortController()];
  const failed = once(operationEnded, op_id, { signal: waiting.signal }).then(async () => {
    const result = (await operationById(sql, op_id))?.result as { error?: unknown } | null;
    throw result?.error ? refusalOfAgent(result.error, result) : new Refused('server_unreachable');
  });
  failed.catch(() => {});
  const stop = () => waiting.abort();
  try {
    const sent = { op_id, put, not_after: new Date(now().getTime() + accept_ms) };
    const backup = { server_id, user_id, backup_id: String(args.backup_id) };
    return { name: await sql.begin((tx) => sendBackup(tx, backup, sent, now())), failed, stop };
  } catch (error) {
    stop();
    throw error;
  }
}

/** What a backup is called, and its type. */
export const backupFile = (name: string) => ({ name: `${name}.tar.zst`, type: 'application/zstd' });
