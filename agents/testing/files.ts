import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pino } from 'pino';
import { expect, vi } from 'vitest';
import type { OperationInput, OperationOutput } from '#control/protocol/agent.ts';
import type { FileQuery, fileOperations, fileQueries } from '#control/protocol/files.ts';
import { publicRequester } from '#db/platform/runtime/public-request.ts';
import { usedMb } from '../disk/folders.ts';
import { type FilesOwner, filesOf } from '../files/server-files.ts';
import { fileHandlers } from '../operations/file-handlers.ts';
import type { OperationHandler } from '../server/operation-handler.ts';
import { answerQuery } from '../session/file-queries.ts';

type Result<K extends FileQuery> = ReturnType<(typeof fileQueries)[K]['output']['parse']>;
type Kind = keyof typeof fileOperations;

/** The files of a server in a temporary folder, and a control plane whose answers are set by path. */
export async function filesFixture({ disk_mb = 100 } = {}) {
  const data = mkdtempSync(join(tmpdir(), 'cairn-files-'));
  const folder = join(data, 'server');
  mkdirSync(folder);
  const requests = new Map<string, (request: IncomingMessage, answer: ServerResponse) => void>();
  const socket = join(data, 'plane.sock');
  const http = createServer((request, answer) => {
    const own = requests.get(request.url ?? '');
    if (own) own(request, answer);
    else answer.writeHead(404).end();
  });
  await new Promise<void>((done) => http.listen(socket, done));
  const onProgress = vi.fn();
  const clock = { now: Date.now() };
  const context = {
    usedMb: async () => (await usedMb([folder]))[0] ?? 0,
    disks: {
      withFolder: (_id: string, _mb: number, work: (folder: string) => Promise<unknown>) => work(folder),
      imageMb: async () => null,
    },
    url: () => `unix:${socket}`,
    now: () => clock.now,
    log: pino({ level: 'silent' }),
    onProgress,
    fetchPublic: publicRequester({ allow: (address) => address === '127.0.0.1' }),
  } as unknown as FilesOwner['context'];
  const uid = process.getuid?.() === 0 ? 20_001 : (process.getuid?.() ?? 0);
  const started = (): FilesOwner => ({ id: 'S1', stored: { uid, spec: { disk_mb } }, context });
  let owner = started();

  const path = (name: string): string => join(folder, name);
  const ask = (query: FileQuery, args: object) => answerQuery(owner, { query, args });
  const perform = async (kind: Kind, args: object, op_id: string = randomUUID()) => {
    const handler = fileHandlers[kind] as unknown as OperationHandler<Kind>;
    const parsed = handler.input.parse(args) as OperationInput<Kind>;
    return await handler.run(owner as never, parsed, op_id);
  };
  const cancel = async (op_id: string) =>
    (await fileHandlers.file_cancel.run(owner as never, { op_id }, randomUUID())).result;
  return {
    data,
    folder,
    uid,
    context,
    onProgress,
    clock,
    path,
    requests,
    ask,
    perform,
    cancel,
    files: () => filesOf(owner),
    /** The agent starts again: it remembers nothing but what is on the disk. */
    restart(): void {
      owner = started();
    },
    write(name: string, content: string | Uint8Array = ''): string {
      mkdirSync(dirname(path(name)), { recursive: true });
      writeFileSync(path(name), content);
      return path(name);
    },
    /** The result of a query; a refusal fails the test. */
    async get<K extends FileQuery>(query: K, args: object): Promise<Result<K>> {
      const answer = await ask(query, args);
      expect(answer).toMatchObject({ ok: true });
      return (answer as unknown as { result: Result<K> }).result;
    },
    /** The result of an operation; a refusal fails the test. */
    async done<K extends Kind>(kind: K, args: object): Promise<OperationOutput<K>> {
      const outcome = await perform(kind, args);
      expect(outcome).toMatchObject({ state: 'done' });
      return outcome.result as OperationOutput<K>;
    },
    /** The code that a query or an operation is refused with. */
    async refusal(kind: FileQuery | Kind, args: object): Promise<string | null> {
      if (!Object.hasOwn(fileHandlers, kind)) {
        const answer = await ask(kind as FileQuery, args);
        return answer.ok ? null : answer.error;
      }
      const { state, result } = await perform(kind as Kind, args);
      return state === 'failed' ? ((result as { error: string }).error ?? '') : null;
    },
    /** Uploads `content` in one piece; not finished. */
    async upload(name: string, content: string | Uint8Array, bytes: number | null = content.length) {
      const upload_id = randomUUID();
      const { offset } = await this.get('upload_begin', { upload_id, path: name, bytes });
      requests.set('/transfers?from=1', (_, answer) => answer.end(content));
      await this.get('upload_receive', { upload_id, offset, get: '/transfers?from=1' });
      return upload_id;
    },
    /** What a `send` brings. */
    async sent(args: object): Promise<{ body: Buffer; headers: IncomingMessage['headers'] }> {
      let got: { body: Buffer; headers: IncomingMessage['headers'] } | null = null;
      requests.set('/transfers?to=1', async (request, answer) => {
        const chunks: Buffer[] = [];
        for await (const chunk of request) chunks.push(chunk);
        got = { body: Buffer.concat(chunks), headers: request.headers };
        answer.end();
      });
      await this.get('send', { put: '/transfers?to=1', ...args });
      return got!;
    },
    async end(): Promise<void> {
      http.closeAllConnections();
      await new Promise((done) => http.close(done));
      rmSync(data, { recursive: true, force: true });
    },
  };
}
export type FilesFixture = Awaited<ReturnType<typeof filesFixture>>;
