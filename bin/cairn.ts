import { Refused } from '#db/platform/errors.ts';
import { SettingError } from '#db/platform/runtime/env.ts';
import { cairnProgram } from './cairn/program.ts';
import { UserError } from './user-error.ts';

/**
 * `npm run -s cairn -- ...`: manages an installation, also while it runs. Results are written to standard output,
 * everything else to standard error; the exit code is 1 on failure, unless the command documents more.
 */
try {
  const program = await cairnProgram(process.argv[2]);
  await program.parseAsync();
} catch (error) {
  const told = error instanceof UserError || error instanceof SettingError || error instanceof Refused;
  console.error(told ? (error as Error).message : error);
  process.exitCode = error instanceof UserError ? error.exit_code : 1;
}
process.exit(); // a timer of a library must not keep a finished command alive
