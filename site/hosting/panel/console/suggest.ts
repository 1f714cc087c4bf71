import type { KnownCommand } from '#control/protocol/console.ts';
import type { Row } from '../core/apply-update.ts';
import { $console } from '../core/panel.store.ts';
import { complete, type Suggestion } from './complete-command.ts';
import { displayLine } from './display-line.ts';

/** Suggestions for what was typed, by the commands of the server and the players that its console names. */
export const suggest = (typed: string, commands: readonly KnownCommand[]): readonly Suggestion[] =>
  complete(typed, commands, () => knownPlayers($console.get().rows));

/** Names as the game allows them, and those that proxies for other editions put a dot before. */
const joins = /^([\w.]{1,24}) (joined|left) the game/;
const max_players = 100;

/** Players who joined and did not leave, by the lines of the console; the newest first. Pure. */
export function knownPlayers(rows: readonly Row[]): string[] {
  const players = new Set<string>();
  for (const row of rows) {
    // another process begins without players
    if (row.kind === 'fresh') players.clear();
    if (row.kind !== 'line' || row.line.stream === 'in') continue;
    const { text } = displayLine(row.line);
    const found = text.includes(' the game') ? joins.exec(text) : null;
    if (!found) continue;
    players.delete(found[1]!);
    if (found[2] === 'joined') players.add(found[1]!);
  }
  return [...players].reverse().slice(0, max_players);
}
