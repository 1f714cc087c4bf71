import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { UserError } from '../user-error.ts';

interface Input extends NodeJS.ReadableStream {
  isTTY?: boolean;
}

/**
 * The password of a command: the option if given, else the first line of standard input. On a terminal it prompts,
 * without echo. Arguments of a command are visible to every account of the machine, and stay in the history of the
 * shell.
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
    throw new UserError('Enter the password on standard input.');
  } finally {
    lines.close();
    if (terminal) process.stderr.write('\n');
  }
}
