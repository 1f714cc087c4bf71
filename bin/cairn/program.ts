import { Command } from 'commander';

type Add = (program: Command) => void;
/** First words, and the modules of their commands: only the requested ones are loaded, or all to list them. */
const groups: Array<[words: string[], load: () => Promise<Add>]> = [
  [['user', 'token'], async () => (await import('./people.ts')).peopleCommands],
  [['project', 'seed'], async () => (await import('./catalogue.ts')).catalogueCommands],
  [['server'], async () => (await import('./server.ts')).serverCommands],
  [['node'], async () => (await import('./nodes.ts')).nodeCommands],
  [['agent'], async () => (await import('./agent.ts')).agentCommand],
  [['search'], async () => (await import('./search.ts')).searchCommands],
  [['publish'], async () => (await import('./publish.ts')).publishCommand],
  [['migrate', 'storage'], async () => (await import('./maintenance.ts')).maintenanceCommands],
  [['database'], async () => (await import('./database.ts')).databaseCommands],
  [['game-versions'], async () => (await import('./game-versions.ts')).gameVersionCommands],
  [['changelog'], async () => (await import('./changelog.ts')).changelogCommands],
  [['newsletter'], async () => (await import('./newsletter.ts')).newsletterCommands],
  [['billing'], async () => (await import('./billing.ts')).billingCommands],
  [['payouts'], async () => (await import('./payouts.ts')).payoutCommands],
  // adds to these
  [['payouts'], async () => (await import('./payouts-bank.ts')).bankPayoutCommands],
  [['audit'], async () => (await import('./audit.ts')).auditCommand],
  [['doctor'], async () => (await import('./doctor.ts')).doctorCommand],
];

/** The commands of `cairn` that begin with `word`; all of them when it begins none. */
export async function cairnProgram(word = ''): Promise<Command> {
  const program = new Command('cairn')
    .description('Manages a Cairn installation, also while it is running.')
    .showHelpAfterError('Add --help for a list of commands.')
    .configureHelp({ showGlobalOptions: true });
  const asked = groups.filter(([words]) => words.includes(word));
  for (const [, load] of asked.length > 0 ? asked : groups) (await load())(program);
  return program;
}
