import { type Command, CommanderError } from 'commander';
import { cairnProgram } from '../bin/cairn/program.ts';

/** What `cairn.ts` gets for each list of arguments that it sends. */
export interface CommandOutcome {
  failed: boolean;
  /** What was written to standard output. */
  printed: string;
  /** What was written to standard error, and the error. */
  told: string;
}

process.on('message', async (args: string[]) => process.send!(await run(args)));
process.on('disconnect', () => process.exit());

async function run(args: string[]): Promise<CommandOutcome> {
  const printed: string[] = [];
  const told: string[] = [];
  const [out, err] = [process.stdout.write, process.stderr.write];
  process.stdout.write = capture(printed);
  process.stderr.write = capture(told);
  process.exitCode = undefined;
  try {
    await throwing(await cairnProgram(args[0])).parseAsync(args, { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) {
      process.exitCode = error.exitCode; // it has written what is wrong
    } else {
      told.push(error instanceof Error ? `${error.name}: ${error.message}` : String(error));
      process.exitCode = 1;
    }
  } finally {
    process.stdout.write = out;
    process.stderr.write = err;
  }
  return { failed: Boolean(process.exitCode), printed: printed.join(''), told: told.join('') };
}

/** Lets a command throw what it says is wrong with its options, instead of ending the process. */
function throwing(command: Command): Command {
  for (const one of command.commands) throwing(one);
  return command.exitOverride();
}

/** Takes the place of `write` of a stream. */
const capture = (texts: string[]): typeof process.stdout.write =>
  ((chunk: string | Uint8Array, ...rest: unknown[]) => {
    texts.push(Buffer.from(chunk as string).toString('utf8'));
    const done = rest.find((one) => typeof one === 'function') as (() => void) | undefined;
    if (done) process.nextTick(done);
    return true;
  }) as typeof process.stdout.write;
