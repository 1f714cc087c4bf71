import type { z } from 'zod';
import type { QueryAnswer } from '#control/protocol/files.ts';
import { type FileQuery, fileQueries } from '#control/protocol/files.ts';
import { listContent } from '../content/list.ts';
import { readText, writeText } from '../content/text.ts';
import type { Access } from '../files/access.ts';
import { about, FileError } from '../files/file-error.ts';
import { finishUpload } from '../files/finish.ts';
import { list, stat } from '../files/list.ts';
import { setModified } from '../files/modified.ts';
import { beginUpload, fromPlane, receiveUpload, uploadOffset } from '../files/receive.ts';
import { search } from '../files/search.ts';
import { send, toPlane } from '../files/send.ts';
import { type FilesOwner, filesOf } from '../files/server-files.ts';
import { listTrash } from '../files/trash.ts';
import { unpackPlan } from '../files/unpack.ts';

type Queries = {
  [K in FileQuery]: (
    access: Access,
    args: z.output<(typeof fileQueries)[K]['input']>,
  ) => Promise<z.output<(typeof fileQueries)[K]['output']>>;
};

const queries: Queries = {
  list: ({ tree }, args) => list(tree, args),
  stat: ({ tree }, args) => stat(tree, args),
  search: ({ tree }, args) => search(tree, args),
  trash: ({ tree }, args) => listTrash(tree, args),
  unpack_plan: (access, args) => unpackPlan(access, args),
  send: (access, args) => about(args.paths[0] ?? '', () => send(access, args, toPlane(access, args.put))),
  upload_begin: beginUpload,
  upload_offset: uploadOffset,
  upload_receive: (access, { get, ...args }) => receiveUpload(access, args, fromPlane(access, get)),
  upload_finish: finishUpload,
  content_list: listContent,
  read_text: readText,
  write_text: writeText,
  set_modified: setModified,
  async upload_cancel({ tree, uploads }, { upload_id }) {
    await uploads.remove(tree, upload_id);
    return {};
  },
};

/** Queries that take as long as their bytes. */
const long: readonly FileQuery[] = ['send', 'upload_receive', 'unpack_plan', 'content_list'];
const takes = (kind: FileQuery) => (kind === 'search' ? kind : long.includes(kind) ? 'long' : 'short');

const changing: readonly FileQuery[] = [
  'upload_begin',
  'upload_receive',
  'upload_finish',
  'upload_cancel',
  'write_text',
  'set_modified',
];

/** Answers a query about the files of a server: its result, or a refusal with its code and data. Never throws. */
export async function answerQuery(
  owner: FilesOwner,
  { query, args }: { query: string; args: object },
): Promise<QueryAnswer> {
  if (!Object.hasOwn(queries, query)) return refusal(new FileError('agent_outdated'));
  const kind = query as FileQuery;
  const parsed = fileQueries[kind].input.safeParse(args);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const problem = `${issue?.path.join('.')}: ${issue?.message}`.slice(0, 300);
    return refusal(new FileError('invalid_input', { problem }));
  }
  const answer = queries[kind] as (access: Access, args: unknown) => Promise<object>;
  const how = { takes: takes(kind), changes: changing.includes(kind) } as const;
  try {
    return { ok: true, result: await filesOf(owner).use((access) => answer(access, parsed.data), how) };
  } catch (error) {
    if (error instanceof FileError) return refusal(error);
    owner.context.log.warn({ server_id: owner.id, query, err: error }, 'A query about files failed');
    return refusal(new FileError('operation_failed'));
  }
}

const refusal = ({ code, data }: FileError): QueryAnswer => ({ ok: false, error: code, data });
