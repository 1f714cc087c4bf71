import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { Actor } from '#db/platform/people/rules.ts';
import { askFiles, type FileQueryInput, type FileQueryOutput } from '../agents/ask-files.ts';
import type { PlaneContext } from '../context.ts';
import { runOperation } from '../operations/operate.ts';
import type { OperationKind } from '../protocol/agent.ts';
import { type FileEntry, type FileQuery, max_page_entries } from '../protocol/files.ts';
import { serverForFiles } from '../transfers/file-access.ts';
import type { AgentStreams, FileUpload } from './agent-streams.ts';
import { SftpFailure } from './failure.ts';

/**
 * The files of one server for one connection: every call asks `actor` who it is, which throws when the right has ended, then
 * the rules, and is done as requests of the panel are. Refuses as those do.
 */
export class ServerFiles {
  readonly #context: PlaneContext;
  readonly #streams: AgentStreams;
  readonly #server_id: string;
  readonly #actor: () => Promise<Actor>;

  constructor(
    context: PlaneContext,
    streams: AgentStreams,
    { server_id, actor }: { server_id: string; actor: () => Promise<Actor> },
  ) {
    this.#context = context;
    this.#streams = streams;
    this.#server_id = server_id;
    this.#actor = actor;
  }

  /** The entry of a path; null where there is none. The folder of the server always is there. */
  async stat(path: string): Promise<FileEntry | null> {
    if (path === '') return root;
    const { entries } = await this.#ask('stat', { paths: [path] });
    return entries[0] ?? null;
  }

  /** One page of a folder from entry `from` on. */
  async list(path: string, from: number): Promise<{ entries: FileEntry[]; total: number }> {
    return await this.#ask('list', { path, from, limit: max_page_entries });
  }

  async createDirectory(path: string): Promise<void> {
    await this.#operate('file_create', { path, type: 'directory' });
  }

  /** Into the trash. */
  async remove(path: string): Promise<void> {
    await this.#operate('file_delete', { paths: [path] });
  }

  async move(from: string, to: string, replace: boolean): Promise<void> {
    const on_conflict = replace ? 'replace' : 'refuse';
    await this.#operate('file_move', { moves: [{ from, to }], on_conflict });
  }

  /** Sets when something was changed last, in milliseconds since 1970. */
  async setModified(path: string, modified: number): Promise<void> {
    await askFiles(this.#context, await this.#server('change'), 'set_modified', { path, modified });
  }

  async read(path: string, range: { offset: number; length?: number }): Promise<Readable> {
    return await this.#streams.read(await this.#server('read'), path, range);
  }

  async write(path: string): Promise<FileUpload> {
    const upload = await this.#streams.write(await this.#server('change'), { path, bytes: null });
    const { user_id: actor_id } = await this.#actor();
    this.#context.activity.files({ server_id: this.#server_id, actor_id }, 'write', [path]);
    return upload;
  }

  async #server(wanted: 'read' | 'change') {
    return await serverForFiles(this.#context, await this.#actor(), this.#server_id, wanted);
  }

  async #ask<Q extends FileQuery>(query: Q, args: FileQueryInput<Q>): Promise<FileQueryOutput<Q>> {
    return await askFiles(this.#context, await this.#server('read'), query, args);
  }

  async #operate(kind: OperationKind, args: object): Promise<void> {
    const actor = await this.#actor();
    await this.#server('change');
    const message = { server_id: this.#server_id, op_id: randomUUID(), ...args };
    const { result } = await runOperation(this.#context, actor, kind, message);
    if (!result)
      throw new SftpFailure('failure', 'This takes longer than usual and goes on. Look again in a moment.');
  }
}

const root: FileEntry = { name: '/', type: 'directory', bytes: 0, modified: 0, created: 0, etag: '' };
