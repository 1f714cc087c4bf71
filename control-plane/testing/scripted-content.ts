import { createHash } from 'node:crypto';
import type { OperationInput } from '../protocol/agent.ts';
import type { ContentFile } from '../protocol/content.ts';
import { ofKind, operationOf } from './backups.ts';
import type { RentedServer } from './plane.ts';

type Renter = Pick<RentedServer, 'runner' | 'id'>;

/** Fetches a file of a change at the plane; null when it was refused, cut off or is another one. */
async function fetched({ runner }: Renter, get: string, sha512: string): Promise<Buffer | null> {
  const answer = await fetch(`${runner.files.url}${get}&file=${sha512}`);
  if (answer.status !== 200) return null;
  const content = Buffer.from(await answer.arrayBuffer().catch(() => new ArrayBuffer(0)));
  return createHash('sha512').update(content).digest('hex') === sha512 ? content : null;
}

/**
 * The scripted agent does what the newest operation `content_apply` says, all of it or nothing, and reports the end. Archives are not
 * unpacked. Gives the arguments.
 */
export async function applyContent(renter: Renter, op_id?: string): Promise<OperationInput<'content_apply'>> {
  const operation = op_id
    ? await operationOf(renter, (one) => one.op_id === op_id)
    : await ofKind(renter, 'content_apply');
  const args = operation.args as OperationInput<'content_apply'>;
  const { files } = renter.runner.files;
  const end = (state: 'done' | 'failed', result: object) =>
    renter.runner.report('operation.ended', renter.id, { op_id: operation.op_id, state, result });
  const { folders } = args;
  const now = await renter.runner.files.answer('content_list', { folders });
  const { revision } = (now as unknown as { result: { files: ContentFile[]; revision: string } }).result;
  if (args.revision !== null && args.revision !== revision) {
    await end('failed', { error: 'content_changed' });
    return args;
  }
  const added = new Map<string, Buffer>();
  for (const { path, sha512, urls } of args.add) {
    const content = urls.length > 0 ? Buffer.from(urls[0]!) : await fetched(renter, args.get!, sha512);
    if (!content) {
      await end('failed', { error: 'content_hash_wrong', data: { file: path } });
      return args;
    }
    added.set(path, content);
  }
  for (const path of args.remove) files.delete(path);
  for (const { from, to } of args.move) {
    files.set(to, files.get(from)!);
    files.delete(from);
  }
  for (const [path, content] of added) files.set(path, content);
  const counts = { added: added.size, removed: args.remove.length, moved: args.move.length };
  await end('done', { ...counts, revision: 'after' });
  return args;
}
