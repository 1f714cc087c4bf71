import type { PlayersChange } from './rules.ts';

/** What a game says on its console about a change of its players: the words of its versions 1.8 to 1.21, in English. */

/** Words with which the game says that something is so now, or was already. */
const done: readonly RegExp[] = [
  /^Whitelist is (?:now|already) turned (?:on|off)/i,
  /^Turned (?:on|off) the whitelist/i,
  /^(?:Added|Removed) \S{1,40} (?:to|from) the whitelist/i,
  /^Player is (?:already|not) whitelisted/i,
  /^Made \S{1,40} (?:no longer )?a server operator/i,
  /^(?:Opped|De-?opped) \S{1,40}/i,
  /^(?:Banned|Unbanned) (?:player |IP (?:address )?)?\S{1,50}/i,
  /^Kicked \S{1,40}/i,
  /^Nothing changed\. (?:The player|That IP) /i,
];
/** Words with which it refuses. */
const refused: readonly RegExp[] = [
  /^That player (?:does not exist|cannot be found)/i,
  /^No player was found/i,
  /^Player not found/i,
  /^Could not (?:add|remove|op|de-op|ban|unban|kick) /i,
  /^(?:Invalid IP address|You have entered an invalid IP)/i,
  /^(?:Unknown (?:or incomplete )?command|Unknown command|Incorrect argument|Command not found)/i,
  /^An (?:unexpected |internal )?error occurred/i,
];
/** The same with words for "was already": nothing was changed, and what is wanted is so. */
const unchanged = /^(?:Nothing changed|Player is (?:already|not) whitelisted|Whitelist is already)/i;

/** Colours, and what stands before the text of a line: time, thread, level. Chat begins with a name in other brackets. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const colour = /\u001b\[[0-9;:]{0,40}m/g;
const prefix = /^(?:\[[^\]\n]{0,80}\]:? ?){0,4}(?:: )?/;

/** The text of a line of a log, without time, thread and level. */
const messageOf = (line: string): string => line.replace(colour, '').replace(prefix, '').trim();

interface GameAnswer {
  outcome: 'done' | 'unchanged' | 'refused';
  text: string;
}

/** What a line says about a change, or null when it is about something else. */
export function answerOf(
  { action, who }: Pick<PlayersChange, 'action' | 'who'>,
  line: string,
): GameAnswer | null {
  const text = messageOf(line).slice(0, 300);
  if (refused.some((pattern) => pattern.test(text))) return { outcome: 'refused', text };
  if (unchanged.test(text)) {
    // to remove somebody who is not there is worth to be said
    return { outcome: action.startsWith('whitelist_o') ? 'done' : 'unchanged', text };
  }
  if (!done.some((pattern) => pattern.test(text))) return null;
  return who === '' || text.toLowerCase().includes(who.toLowerCase()) ? { outcome: 'done', text } : null;
}
