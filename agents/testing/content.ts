import { createHash, randomUUID } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { OperationInput } from '#control/protocol/agent.ts';
import { contentHandlers } from '../operations/content-handlers.ts';
import { settleContent } from '../operations/settle-content.ts';
import type { OperationHandler } from '../server/operation-handler.ts';
import { openStateStore } from '../state/store.ts';
import { filesFixture } from './files.ts';

export const sha512 = (content: string | Uint8Array): string =>
  createHash('sha512').update(content).digest('hex');

type Kind = keyof typeof contentHandlers;
type Args = Partial<OperationInput<'content_apply'>>;
const get = '/transfers?content=secret';

/** Everything of a server by its path, without Cairn's own folder. */
export function filesBelow(folder: string, above = ''): Record<string, string> {
  const found: Record<string, string> = {};
  for (const one of readdirSync(join(folder, above), { withFileTypes: true })) {
    const path = above === '' ? one.name : `${above}/${one.name}`;
    if (path === '.cairn') continue;
    if (one.isDirectory()) Object.assign(found, { [path]: 'folder' }, filesBelow(folder, path));
    else if (one.isSymbolicLink()) found[path] = `link ${readlinkSync(join(folder, path))}`;
    else found[path] = readFileSync(join(folder, path), 'latin1');
  }
  return found;
}

/** The files of a server, its controller as far as content needs it, and a control plane that has files by their hash. */
export async function contentFixture(options: { disk_mb?: number } = {}) {
  const files = await filesFixture(options);
  const store = openStateStore(files.data);
  const context = { ...files.context, store };
  const spec = { disk_mb: options.disk_mb ?? 100 };
  const started = () => ({
    ...{ id: 'S1', stored: { uid: files.uid, spec }, context },
    reconcile: () => {},
    idle: async () => {},
  });
  let controller = started();
  const handler = (kind: Kind) => contentHandlers[kind] as unknown as OperationHandler<Kind>;
  return {
    ...files,
    store,
    controller: () => controller,
    /** The agent starts again. */
    restart(): void {
      files.restart();
      controller = started();
    },
    /** The control plane has this file; gives what an operation says about it. */
    has(path: string, content: string | Uint8Array) {
      const hash = sha512(content);
      files.requests.set(`${get}&file=${hash}`, (_, answer) => answer.end(content));
      return { path, sha512: hash, bytes: content.length, urls: [] as string[] };
    },
    async run(kind: Kind, args: object, op_id: string = randomUUID()) {
      const parsed = handler(kind).input.parse(args);
      const outcome = await handler(kind).run(controller as never, parsed as never, op_id);
      handler(kind).onEnd(controller as never);
      await settleContent(controller as never);
      return { op_id, ...outcome };
    },
    /** Applies a change to `mods`. */
    apply(change: Args, op_id?: string) {
      const nothing = {
        folders: ['mods'],
        revision: null,
        get,
        add: [],
        archive: null,
        move: [],
        remove: [],
      };
      return this.run('content_apply', { ...nothing, ...change }, op_id);
    },
    undo(change_id: string) {
      return this.run('content_undo', { folders: ['mods'], change_id });
    },
    /** What the agent says of an operation that it was killed in. */
    async interrupted(kind: Kind, args: object, op_id: string) {
      const parsed = handler(kind).input.parse(args);
      return await handler(kind).onInterrupted(controller as never, parsed as never, op_id);
    },
    now: () => filesBelow(files.folder),
    ownerOf: (path: string) => lstatSync(files.path(path)).uid,
    async end(): Promise<void> {
      store.close();
      await files.end();
    },
  };
}
export type ContentFixture = Awaited<ReturnType<typeof contentFixture>>;
