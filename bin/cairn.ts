import { Command } from 'commander';
import { Refused } from '#db/errors.ts';
import { SettingError } from '#db/runtime/env.ts';
import { UserError } from './user-error.ts';

/**
 * `npm run -s cairn -- ...`: manages an installation, also while it runs. Results are written to standard output,
 * everything else to standard error; the exit code is 1 on failure.
 */
const program = new Command('cairn')
  .description('Manages a Cairn installation, also while it is running.')
  .showHelpAfterError('Add --help for a list of commands.')
  .configureHelp({ showGlobalOptions: true });

type Add = (program: Command) => void;
/** First words, and the modules of their commands: only the requested ones are loaded, or all to list them. */
const groups: Array<[words: string[], load: () => Promise<Add>]> = [
  [['user', 'token'], async () => (await import('./cairn/people.ts')).peopleCommands],
  [['project', 'seed'], async () => (await import('./cairn/catalogue.ts')).catalogueCommands],
  [['server'], async () => (await import('./cairn/server.ts')).serverCommands],
  [['node'], async () => (await import('./cairn/nodes.ts')).nodeCommands],
  [['agent'], async () => (await import('./cairn/agent.ts')).agentCommand],
  [['search'], async () => (await import('./cairn/search.ts')).searchCommands],
  [['migrate', 'storage'], async () => (await import('./cairn/maintenance.ts')).maintenanceCommands],
  [['game-versions'], async () => (await import('./cairn/game-versions.ts')).gameVersionCommands],
  [['audit'], async () => (await import('./cairn/audit.ts')).auditCommand],
  [['doctor'], async () => (await import('./cairn/doctor.ts')).doctorCommand],
];
const [word = ''] = process.argv.slice(2);
const asked = groups.filter(([words]) => words.includes(word));
for (const [, load] of asked.length > 0 ? asked : groups) (await load())(program);

try {
  await program.parseAsync();
} catch (error) {
  const told = error instanceof UserError || error instanceof SettingError || error instanceof Refused;
  console.error(told ? (error as Error).message : error);
  process.exitCode = 1;
}
process.exit(); // a timer of a library must not keep a finished command alive
