import { randomUUID } from 'node:crypto';
import { createReadStream, type ReadStream } from 'node:fs';
import { lstat, mkdir, open, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Refused } from '#db/platform/errors.ts';
import type { Operation } from '../protocol/agent.ts';
import type { QueryAnswer } from '../protocol/files.ts';
import { type FileEntry, fileQueries } from '../protocol/files.ts';
import type { AgentStreams } from '../sftp/agent-streams.ts';
import type { ScriptedAgent } from './scripted-agent.ts';

/** A scripted agent whose server has a real folder: it lists, makes, moves and deletes what is there. */
export interface FolderAgent {
  streams: AgentStreams;
  /** Every query and operation, in order: `stat world`, `file_move a b`. */
  asked: string[];
  /** Paths of files that are in the trash. */
  trash: string[];
  /** Bytes that were read from files so far. */
  read_bytes(): number;
}

/** Answers files.query and operations of `runner` from `folder`. */
export function folderAgent(runner: ScriptedAgent, folder: string): FolderAgent {
  const asked: string[] = [];
  const trash: string[] = [];
  const streams_read: ReadStream[] = [];
  const at = (path: string) => {
    // an agent refuses these: a control plane that sends one has a hole
    if (path.startsWith('/') || path.split('/').includes('..'))
      throw new Refused('file_path_invalid', { path });
    return join(folder, path);
  };
  const entryOf = (path: string): Promise<FileEntry | null> =>
    lstat(at(path)).then(
      (found) => ({
        name: basename(path),
        type: found.isFile()
          ? 'file'
          : found.isDirectory()
            ? 'directory'
            : found.isSymbolicLink()
              ? 'link'
              : 'other',
        bytes: found.size,
        modified: found.mtimeMs,
        created: found.birthtimeMs,
        etag: `${found.mtimeMs}-${found.size}-${found.ino}`,
      }),
      () => null,
    );

  async function query(name: string, args: Record<string, never>): Promise<object> {
    if (name === 'stat') {
      const { paths } = fileQueries.stat.input.parse(args);
      asked.push(`stat ${paths.join(' ')}`);
      return { entries: await Promise.all(paths.map(entryOf)) };
    }
    const { path, from, limit } = fileQueries.list.input.parse(args);
    asked.push(`list ${path} ${from}`);
    const names = (await readdir(at(path))).sort();
    const page = names.slice(from, from + limit);
    const entries = await Promise.all(page.map((one) => entryOf(join(path, one))));
    return { entries, total: names.length };
  }

  async function operate({ kind, args }: Operation): Promise<object> {
    asked.push(kind);
    if (kind === 'file_create') {
      await mkdir(at(args.path as string));
      return {};
    }
    if (kind === 'file_delete') {
      const paths = args.paths as string[];
      for (const path of paths) await rm(at(path), { recursive: true });
      trash.push(...paths);
      return { trash: paths.map((path) => ({ trash_id: path, path })) };
    }
    const moves = args.moves as Array<{ from: string; to: string }>;
    for (const { from, to } of moves) {
      if (args.on_conflict === 'refuse' && (await entryOf(to))) throw new Error('file_exists');
      await rename(at(from), at(to));
    }
    return { paths: moves.map(({ to }) => to) };
  }

  runner.socket.off('files.query').on('files.query', (message, ack) => {
    query(message.query, message.args as never)
      .then((result): QueryAnswer => ({ ok: true, result }))
      .catch((): QueryAnswer => ({ ok: false, error: 'file_not_found', data: { path: '' } }))
      .then(ack);
  });
  runner.answerOperation = (operation) => {
    const { op_id, server_id } = operation;
    operate(operation)
      .then((result) => ({ state: 'done', result }))
      .catch(() => ({ state: 'failed', result: {} }))
      .then((ended) => runner.report('operation.ended', server_id, { op_id, ...ended }));
    return { status: 'accepted' };
  };

  const streams: AgentStreams = {
    async read(_server, path, { offset, length }) {
      asked.push(`read ${path} ${offset} ${length ?? ''}`.trim());
      const stream = createReadStream(at(path), {
        start: offset,
        ...(length && { end: offset + length - 1 }),
      });
      streams_read.push(stream);
      return stream;
    },
    async write(_server, { path }) {
      asked.push(`write ${path}`);
      const part = join(dirname(at(path)), `.upload-${randomUUID()}`);
      await writeFile(part, '');
      const file = await open(part, 'a');
      return {
        write: async (chunk) => void (await file.appendFile(chunk)),
        async finish(on_conflict, if_etag) {
          await file.close();
          const there = await entryOf(path);
          const refusal =
            there && on_conflict === 'refuse'
              ? 'file_exists'
              : if_etag !== undefined && (there?.etag ?? '') !== if_etag
                ? 'file_changed'
                : null;
          if (!refusal) return await rename(part, at(path));
          await rm(part);
          throw new Refused(refusal, { path });
        },
        async cancel() {
          await file.close();
          await rm(part);
        },
      };
    },
  };
  const read_bytes = () => streams_read.reduce((sum, { bytesRead }) => sum + bytesRead, 0);
  return { streams, asked, trash, read_bytes };
}
