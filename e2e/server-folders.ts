import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pino } from 'pino';
import { contentHandlers } from '#agents/operations/content-handlers.ts';
import { fileHandlers } from '#agents/operations/file-handlers.ts';
import { answerQuery } from '#agents/session/file-queries.ts';
import type { AgentContext } from '../agents/context.ts';
import { folderOf, makeFolder, uidFor, usedMb } from '../agents/disk/folders.ts';
import type { ServerController } from '../agents/server/controller.ts';
import type { OperationHandler } from '../agents/server/operation-handler.ts';
import { openStateStore } from '../agents/state/store.ts';
import type { Operation, OperationKind, SentSpec } from '../control-plane/protocol/agent.ts';
import type { QueryAnswer } from '../control-plane/protocol/files.ts';
import { publicRequester } from '../db/platform/runtime/public-request.ts';
import { site } from './product.ts';

const handlers = { ...fileHandlers, ...contentHandlers };
const isHandled = (kind: string): kind is keyof typeof handlers => Object.hasOwn(handlers, kind);
/** A user that is none of the machine's, as agents choose it; kept only by one that may give files away. */
const own_uid = 20_001;

interface Ended {
  state: string;
  result: object;
}
type Progress = (server_id: string, op_id: string, done: number, total: number | null) => void;

/** The files of the servers of a scripted node: real folders, with the code of the agent and without a container. */
export interface ServerFolders {
  /** The folder of a server. */
  at(server_id: string): string;
  /** Makes the folder of a new server; a known one has another specification from now on. */
  provide(spec: SentSpec): Promise<void>;
  query(server_id: string, query: string, args: object): Promise<QueryAnswer>;
  /** Runs an operation on files or content to its end; null for one of another kind. */
  run(operation: Operation): Promise<Ended> | null;
  write(server_id: string, path: string, content: string | Uint8Array): void;
  read(server_id: string, path: string): string;
  /** Removes all of them. */
  close(): void;
}

export function serverFolders(onProgress: Progress): ServerFolders {
  const data = mkdtempSync(join(tmpdir(), 'cairn-e2e-node-'));
  const store = openStateStore(data);
  const controllers = new Map<string, ServerController>();
  const at = (server_id: string) => folderOf(data, server_id);
  const context = {
    ...{ store, data, onProgress, now: Date.now, url: () => site, log: pino({ level: 'silent' }) },
    usedMb: async (id: string) => (await usedMb([at(id)]))[0] ?? 0,
    fetchPublic: publicRequester({ answer_ms: 15_000 }),
    disks: {
      withFolder: (id: string, _mb: number, work: (folder: string) => Promise<unknown>) => work(at(id)),
      imageMb: async () => null,
    },
  } as unknown as AgentContext;
  /** As much of a controller as the handlers of files and content use. */
  const controllerOf = (spec: SentSpec) =>
    ({
      ...{ id: spec.server_id, stored: { uid: own_uid, spec }, context },
      reconcile: () => {},
      idle: async () => {},
    }) as unknown as ServerController;

  async function run(controller: ServerController, { op_id, args, ...asked }: Operation): Promise<Ended> {
    const handler = handlers[
      asked.kind as keyof typeof handlers
    ] as unknown as OperationHandler<OperationKind>;
    try {
      return await handler.run(controller, handler.input.parse(args) as never, op_id);
    } catch (error) {
      return { state: 'failed', result: { error: (error as Error).message } };
    } finally {
      handler.onEnd(controller);
    }
  }
  return {
    at,
    async provide(spec) {
      const known = controllers.get(spec.server_id);
      if (known) return void Object.assign(known.stored!, { spec });
      await makeFolder(at(spec.server_id), uidFor(own_uid));
      controllers.set(spec.server_id, controllerOf(spec));
    },
    async query(server_id, query, args) {
      const controller = controllers.get(server_id);
      if (!controller) return { ok: false, error: 'server_not_found', data: {} };
      return await answerQuery(controller, { query, args });
    },
    run(operation) {
      const controller = controllers.get(operation.server_id);
      return controller && isHandled(operation.kind) ? run(controller, operation) : null;
    },
    write(server_id, path, content) {
      const file = join(at(server_id), path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, content);
    },
    read: (server_id, path) => readFileSync(join(at(server_id), path), 'utf8'),
    close() {
      store.close();
      rmSync(data, { recursive: true, force: true });
    },
  };
}
