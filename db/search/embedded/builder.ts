import { spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Connect } from '../../sql.ts';
import { buildFolder, generationsIn } from './snapshots.ts';

/** What every task needs; it goes through the child's channel, so that no password stands in a list of processes. */
interface Common {
  connect: Pick<Connect, 'address' | 'database'>;
  folder: string;
  workshop: string;
  /** How much it stands back behind others, to 19. Searches come first: without it their slowest hundredth takes twice as long. */
  nice: number;
}
export interface BaseTask extends Common {
  kind: 'base';
  /** A base newer than this one is as good as a new one. */
  after: number;
}
export interface WarmTask extends Common {
  kind: 'warm';
  ids: string[];
}
export type Task = BaseTask | WarmTask;

export interface Built {
  generation: number;
  documents: number;
  /** of both files */
  bytes: number;
  took_ms: number;
}
export type BuildResult = { built: Built } | { newer: number } | { failed: string; full: boolean };

export interface Builder {
  /** Where it writes. */
  workshop: string;
  /** Settles when the process is gone, whatever became of it. */
  ended: Promise<BuildResult>;
  /** Ends it at once; what it wrote goes. */
  kill(): void;
  pid: number | undefined;
}

type BuildOptions = 'workshop' | 'nice';
export type BuildInput = (Omit<BaseTask, BuildOptions> | Omit<WarmTask, BuildOptions>) & { nice?: number };

const script = fileURLToPath(new URL('./builder-process.ts', import.meta.url));
const errorOutput = 2_000;

/** Starts a builder process. It ends when this process does. Source: search §4 (Builder). */
export function startBuilder(given: BuildInput): Builder {
  const task = { nice: 15, ...given, workshop: buildFolder(given.folder, given.kind) } as Task;
  const child = spawn(process.execPath, [script], { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
  let output = '';
  let reported: BuildResult | undefined;
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    output = (output + text).slice(-errorOutput);
  });
  const ended = new Promise<BuildResult>((settle) => {
    const exited = (how: string) => {
      const failed = { failed: `The builder ${how}. ${output}`.trim(), full: false };
      const unfinished = !reported || 'failed' in reported || task.kind === 'base';
      const tidied = unfinished ? rm(task.workshop, { recursive: true, force: true }) : Promise.resolve();
      void tidied.catch(() => {}).then(() => settle(reported ?? failed));
    };
    child.on('message', (message: BuildResult) => {
      reported = message;
    });
    child.once('error', (error) => exited(`did not start: ${error.message}`));
    child.once('close', (code, signal) =>
      exited(signal ? `was ended by ${signal}` : `ended with code ${code}`),
    );
  });
  child.send?.(task, () => {}); // a child that is gone already says so by its end
  return { workshop: task.workshop, ended, kill: () => void child.kill('SIGKILL'), pid: child.pid };
}

/**
 * Builds a new base in `folder`, beside whoever else does: the rebuild command. Processes that follow the folder take it
 * by themselves. Gives what was built, or the generation that somebody else built meanwhile; throws when it failed.
 */
export async function buildBase(
  given: Pick<BaseTask, 'connect' | 'folder'> & { nice?: number },
): Promise<Built | { newer: number }> {
  const after = generationsIn(given.folder)[0] ?? 0;
  const ended = await startBuilder({ kind: 'base', ...given, after }).ended;
  if ('failed' in ended) throw new Error(ended.failed);
  return 'built' in ended ? ended.built : ended;
}
