import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { UserError } from '../user-error.ts';

interface Input extends NodeJS.ReadableStream {
  isTTY?: boolean;
}

/**
 * The password of a command: the option if it was given, else the first line of standard input. A terminal is asked and
 * does not show what is typed. An argument of a command can be read by every account of the machine, and stays in the
 * history of the shell.
 */
export async function passwordFrom(
  option: string | undefined,
  input: Input = process.stdin,
): Promise<string> {
  if (option !== undefined) return option;
  const terminal = input.isTTY === true;
  if (terminal) process.stderr.write('Password: ');
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input, output: silent, terminal });
  try {
    for await (const line of lines) return line;
    throw new UserError('Give the password on standard input.');
  } finally {
    lines.close();
    if (terminal) process.stderr.write('\n');
  }
}
