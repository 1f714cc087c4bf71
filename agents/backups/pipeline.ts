import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { PassThrough, type Readable, type Writable } from 'node:stream';
import { lowPriority } from '../programs/low-priority.ts';
import { BackupError } from './error.ts';
import type { ProgramMessage } from './tar/messages.ts';

const max_stderr = 2_000;
type AllOf<U> = (U extends unknown ? (one: U) => void : never) extends (all: infer A) => void ? A : never;
/** Every message of a program, by its key. */
type Told = AllOf<ProgramMessage | { exit: [number, number] }>;

/** How programs that were joined by pipes ended. */
export interface PipelineEnd {
  /** Exit code of each, in their order; null for one that did not end by itself. */
  exits: (number | null)[];
  /** What they told at their ends. */
  message: Partial<Told> | null;
  /** The end of what they wrote to standard error. */
  errors: string;
}

export interface Pipeline {
  input: Writable;
  output: Readable;
  /** Resolves when all of them ended. Fails with `cancelled` when the signal ended them. */
  ended: Promise<PipelineEnd>;
  kill(): void;
}

const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;

/**
 * Starts programs joined by pipes, at low priority and in a process group of their own, so that all of them can be killed.
 * They share file descriptor 3, where ours tell how far they are (`tar/messages.ts`). When the agent is gone they end by
 * themselves: their pipes are.
 */
export function startPipeline(
  programs: readonly string[][],
  options: { signal: AbortSignal; onProgress?(done: number): void; env?: Record<string, string> },
): Pipeline {
  const { signal, onProgress = () => {} } = options;
  const script = programs
    .map((words, index) => `{ ${words.map(quoted).join(' ')}; echo '{"exit":['${index},$?]} >&3; }`)
    .join(' | ');
  const [nice, ...args] = [...lowPriority, 'sh', '-c', script];
  const child = spawn(nice, args, {
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
    detached: true,
    env: { ...process.env, LC_ALL: 'C', ...options.env },
  });
  // Node throws away what a program that ended wrote and nobody has begun to read: a small backup would be stored empty
  const output = child.stdout.pipe(new PassThrough());
  const kill = (): void => {
    try {
      if (child.pid) process.kill(-child.pid, 'SIGKILL');
    } catch {
      // it ended meanwhile
    }
    // what nobody reads any more must not keep it open
    child.stdout.destroy();
    output.destroy();
    child.stdin.destroy();
  };
  const end: PipelineEnd = { exits: programs.map(() => null), message: null, errors: '' };
  child.stderr.on('data', (chunk: Buffer) => {
    end.errors = (end.errors + chunk).slice(-max_stderr);
  });
  createInterface({ input: child.stdio[3] as Readable }).on('line', (line) => {
    const told = JSON.parse(line) as Partial<Told>;
    if (told.done !== undefined) onProgress(told.done);
    else if (told.exit) end.exits[told.exit[0]] = told.exit[1];
    // the first one that fails is the cause of what follows
    else if (!end.message?.failed) end.message = { ...end.message, ...told };
  });
  // a program that ended does not take what is left
  child.stdin.on('error', () => {});
  signal.addEventListener('abort', kill);
  if (signal.aborted) kill();
  const ended = new Promise<PipelineEnd>((done, fail) => {
    child.once('error', fail);
    child.once('close', () => {
      signal.removeEventListener('abort', kill);
      if (signal.aborted) fail(new BackupError('cancelled'));
      else done(end);
    });
  });
  ended.catch(() => {});
  return { input: child.stdin, output, ended, kill };
}

/** What a shell says of a program that SIGKILL or SIGTERM ended; SIGPIPE only follows the end of the next one. */
const killed = new Set([137, 143]);

/** What a program told at its end, of the kind that is expected; an error when it or another program failed, with the code `killed` when something else ended one. */
export function resultOf<K extends 'packed' | 'stored' | 'unpacked'>(
  { exits, message, errors }: PipelineEnd,
  key: K,
): Told[K] {
  const ended = `programs ended with ${exits.join(', ')}: ${errors.trim()}`;
  // what the others say follows from that
  if (exits.some((code) => code === null || killed.has(code)))
    throw Object.assign(new Error(ended), { code: 'killed' });
  if (message?.failed) {
    const { code, message: text } = message.failed;
    // a program before it may have ended for a reason that it cannot know
    throw Object.assign(new Error(`${text} (${ended})`), { code });
  }
  const result = message?.[key];
  if (result === undefined || exits.some((code) => code !== 0)) throw new Error(ended);
  return result;
}
