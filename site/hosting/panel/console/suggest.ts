import type { KnownCommand } from '#control/protocol/console.ts';
import { $console } from '../core/panel.store.ts';
import { complete, type Suggestion } from './complete-command.ts';
import { knownPlayers } from './known-players.ts';

/** Suggestions for what was typed, by the commands of the server and the players that its console names. */
export const suggest = (typed: string, commands: readonly KnownCommand[]): readonly Suggestion[] =>
  complete(typed, commands, () => knownPlayers($console.get().rows));
