import { ActionReader } from './actions.ts';
import { type EntryPoint, entryPoints } from './entry-points.ts';
import { ModuleReader } from './module-reader.ts';

/** Where the table is kept. */
export const actionTablePath = 'site/testing/conformance/actions.json';

/** What is known of an action. */
export interface ActionRow {
  /** `path name` of its function. */
  action: string;
  /** It asks who the actor is, again. */
  proof: boolean;
  /** It looks at the scopes of the actor itself. */
  scopes: boolean;
  entries: EntryPoint[];
}

/** Every action that an entry point leads to, in the order of their names, with all of them. */
export function actionTable(): ActionRow[] {
  const modules = new ModuleReader();
  const reader = new ActionReader(modules);
  const rows = new Map<string, ActionRow>();
  for (const entry of entryPoints(modules, reader))
    for (const action of entry.actions) {
      const row = rows.get(action) ?? newRow(modules, reader, action);
      row.entries.push(entry);
      rows.set(action, row);
    }
  return [...rows.values()].sort((a, b) => (a.action < b.action ? -1 : 1));
}

function newRow(modules: ModuleReader, reader: ActionReader, action: string): ActionRow {
  const [path = '', name = ''] = action.split(' ');
  const one = modules.find(path, name)!;
  return {
    action,
    proof: reader.reaches(one, /\bwhyNotProved(OrNew)?\(/),
    scopes: reader.reaches(one, /\bhasScope\(/),
    entries: [],
  };
}

/** The table as the file at `actionTablePath`: one action with its entry points a line. */
export const actionTableText = (rows: readonly ActionRow[]): string =>
  `{\n${rows
    .map(({ action, proof, entries }) => {
      const ways = entries.map(({ name, needs }) => (needs ? `${name} ${needs.replace(/\s+/g, ' ')}` : name));
      return `  ${JSON.stringify(action)}: ${JSON.stringify({ ...(proof && { proof }), ways: [...new Set(ways)] })}`;
    })
    .join(',\n')}\n}\n`;
