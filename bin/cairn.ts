import { Command } from 'commander';
import { SettingError } from '#db/env.ts';
import { Refused } from '#db/errors.ts';
import { agentCommand } from './cairn/agent.ts';
import { catalogueCommands } from './cairn/catalogue.ts';
import { doctorCommand } from './cairn/doctor.ts';
import { nodeCommands } from './cairn/nodes.ts';
import { peopleCommands } from './cairn/people.ts';
import { searchCommands } from './cairn/search.ts';
import { serverCommands } from './cairn/server.ts';
import { upkeepCommands } from './cairn/upkeep.ts';
import { Trouble } from './trouble.ts';

/**
 * `npm run -s cairn -- ...`: works beside a running product. Answers stand on standard output, everything else on
 * standard error; the exit code is 1 when something could not be done.
 */
const program = new Command('cairn')
  .description('Looks after a Cairn installation, beside the running product or without it.')
  .showHelpAfterError('Add --help to see what is possible.')
  .configureHelp({ showGlobalOptions: true });
const all = [
  peopleCommands,
  catalogueCommands,
  serverCommands,
  nodeCommands,
  agentCommand,
  searchCommands,
  upkeepCommands,
  doctorCommand,
];
for (const add of all) add(program);

try {
  await program.parseAsync();
} catch (error) {
  const told = error instanceof Trouble || error instanceof SettingError || error instanceof Refused;
  console.error(told ? (error as Error).message : error);
  process.exitCode = 1;
}
process.exit(); // a library's timer must not keep a finished command alive
