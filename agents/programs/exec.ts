import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);
/** A program of the system that takes longer waits for a disk that does not answer. */
const timeout_ms = 60_000;

/** A program of the system failed or is missing; the message is its error output. */
export class CommandFailed extends Error {}

/** Runs a program of the system and gives its output. Throws `CommandFailed` with its error output. */
export async function exec(program: string, ...args: string[]): Promise<string> {
  const PATH = `${process.env.PATH ?? ''}:/usr/sbin:/sbin:/usr/bin:/bin`;
  const env = { ...process.env, PATH, LC_ALL: 'C' };
  try {
    return (await run(program, args, { timeout: timeout_ms, env })).stdout;
  } catch (error) {
    const { stderr = '', message } = error as Error & { stderr?: string };
    throw new CommandFailed(`${program}: ${stderr.trim() || message}`);
  }
}
