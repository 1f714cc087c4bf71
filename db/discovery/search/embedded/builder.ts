import { spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { BaseTask, BuildInput, BuildResult, Built, Task } from './builder-protocol.ts';
import { buildFolder, generationsIn } from './snapshots.ts';

export interface Builder {
  /** Its output folder. */
  workshop: string;
  /** Resolves when the process has exited, for any reason. */
  ended: Promise<BuildResult>;
  /** Kills it and removes its output. */
  kill(): void;
  pid: number | undefined;
}

const script = fileURLToPath(new URL('./builder-process.ts', import.meta.url));
const errorOutput = 2_000;

/** Starts a builder process. It exits when this process does. Source: search §4 (Builder). */
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
  child.send?.(task, () => {}); // a dead child reports through its exit event
  return { workshop: task.workshop, ended, kill: () => void child.kill('SIGKILL'), pid: child.pid };
}

/**
 * Builds a new base in `folder`, concurrently with other processes: the rebuild command. Running processes load it by
 * themselves. Gives the new base, or the generation that another process built meanwhile; throws on failure.
 */
export async function buildBase(
  given: Pick<BaseTask, 'connect' | 'folder'> & { nice?: number },
): Promise<Built | { newer: number }> {
  const after = generationsIn(given.folder)[0] ?? 0;
  const ended = await startBuilder({ kind: 'base', ...given, after }).ended;
  if ('failed' in ended) throw new Error(ended.failed);
  return 'built' in ended ? ended.built : ended;
}
