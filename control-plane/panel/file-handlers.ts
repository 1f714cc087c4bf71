import { downloadBackup } from '#db/hosting/servers/backups/download.ts';
import { operationById } from '#db/hosting/servers/operations/operations.ts';
import { findAuthorizedServer } from '#db/hosting/servers/read.ts';
import { createTicket } from '#db/hosting/servers/tickets.ts';
import { deleteUpload, issueUpload } from '#db/hosting/servers/uploads.ts';
import { Refused } from '#db/platform/errors.ts';
import { hashToken } from '#db/platform/secrets/hash.ts';
import {
  askFiles,
  type FileQueryInput,
  type FileQueryOutput,
  type ServerOnNode,
} from '../agents/ask-files.ts';
import type { PlaneContext } from '../context.ts';
import { viewOperation } from '../operations/view-operation.ts';
import type { Handlers } from '../protocol/ack.ts';
import type { panelRequests } from '../protocol/browser.ts';
import type { FileQuery } from '../protocol/files.ts';
import { serverForFiles } from '../transfers/file-access.ts';
import { waysTo } from '../transfers/ways-to.ts';
import type { AsUser, PanelServices } from './services.ts';
import type { PanelConnection } from './subscriptions.ts';

type All = Handlers<typeof panelRequests, PanelConnection>;
type FileHandlers = {
  [E in keyof All as E extends `files.${string}` | 'backups.download' | 'server.operation'
    ? E
    : never]: All[E];
};

/** The handlers of requests about files, and of what is downloaded: rules are asked first, then the agent. */
export function fileHandlers({ context }: PanelServices, asUser: AsUser): FileHandlers {
  const { sql, now } = context;
  /** A query that only reads, answered by the agent. */
  const read = <Q extends FileQuery>(query: Q) =>
    asUser(async (actor, message: FileQueryInput<Q> & { server_id: string }): Promise<FileQueryOutput<Q>> => {
      const { server_id, ...args } = message;
      const server = await serverForFiles(context, actor, server_id, 'read');
      return await askFiles(context, server, query, args as never);
    });
  return {
    'files.list': read('list'),
    'files.stat': read('stat'),
    'files.search': read('search'),
    'files.trash': read('trash'),
    'files.unpack_plan': read('unpack_plan'),
    'files.download': asUser(async (actor, { server_id, paths, as, opens }, { token }) => {
      const server = await serverForFiles(context, actor, server_id, 'read');
      await assertSendable(context, server, paths, as);
      const owner = { server_id, user_id: actor.user_id, token_hash: hashToken(token) };
      context.activity.files({ server_id, actor_id: actor.user_id }, opens ? 'open' : 'download', paths);
      const ticket = { ...owner, kind: as === 'file' ? 'file' : 'paths', args: { paths, as } } as const;
      const address = `/transfers?ticket=${await createTicket(sql, ticket, now())}`;
      return await waysTo(sql, address, server.node_id);
    }),
    'files.upload': asUser(async (actor, { server_id, ...upload }, { token }) => {
      const server = await serverForFiles(context, actor, server_id, 'change');
      const { offset } = await askFiles(context, server, 'upload_begin', upload);
      const owner = { server_id, user_id: actor.user_id, token_hash: hashToken(token) };
      const secret = await sql.begin((tx) => issueUpload(tx, { ...owner, ...upload }, now()));
      return { ...(await waysTo(sql, `/transfers/uploads/${secret}`, server.node_id)), offset };
    }),
    'files.place': asUser(async (actor, { server_id, if_etag, ...message }) => {
      const server = await serverForFiles(context, actor, server_id, 'change');
      // as the header `etag` of a download has it, or as a list does
      const tag = if_etag?.replace(/^(?:W\/)?"(.*)"$/, '$1');
      const args = { ...message, ...(tag === undefined ? {} : { if_etag: tag }) };
      const placed = await askFiles(context, server, 'upload_finish', args);
      await deleteUpload(sql, message.upload_id);
      context.activity.files({ server_id, actor_id: actor.user_id }, 'write', [placed.path]);
      return placed;
    }),
    'backups.download': asUser(async (actor, message) => {
      const { address, node_id } = await sql.begin((tx) => downloadBackup(tx, actor, message, now()));
      return await waysTo(sql, address, node_id);
    }),
    'server.operation': asUser(async (actor, { server_id, op_id }, { locale }) => {
      await findAuthorizedServer(sql, actor, server_id, now());
      const operation = await operationById(sql, op_id);
      if (operation?.server_id !== server_id) throw new Refused('not_found');
      return { operation: viewOperation(operation, locale) };
    }),
  };
}

/**
 * Refuses what the agent could not send before there is an address: `file_not_found`, and of a single file `file_is_directory` and
 * `file_not_regular`.
 */
async function assertSendable(
  context: PlaneContext,
  server: ServerOnNode,
  paths: string[],
  as: 'file' | 'zip' | 'tar.zst',
): Promise<void> {
  if (as === 'file' && paths.length > 1)
    throw new Refused('invalid_input', {
      problem: 'paths: one file is sent as it is, several as an archive',
    });
  const named = as === 'file' ? paths : paths.filter((path) => path !== '');
  if (named.length === 0) return;
  const { entries } = await askFiles(context, server, 'stat', { paths: named });
  const missing = named.findIndex((_, at) => !entries[at]);
  if (missing >= 0) throw new Refused('file_not_found', { path: named[missing]! });
  if (as !== 'file') return;
  const [path] = named;
  if (entries[0]!.type === 'directory') throw new Refused('file_is_directory', { path });
  if (entries[0]!.type !== 'file') throw new Refused('file_not_regular', { path });
}
