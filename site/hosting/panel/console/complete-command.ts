import type { KnownCommand } from '#control/protocol/console.ts';

/** Completion of commands from what the server's own help says of them. Pure. */

/** What the field becomes when a suggestion is accepted. */
export interface Suggestion {
  text: string;
  /** The command takes more after it. */
  is_partial: boolean;
}

/** What may stand at one place of a command: words, or the name of a player. */
interface Slot {
  words: string[];
  is_player: boolean;
}

const max_suggestions = 8;
const player = /^(?:targets?|players?|name|names|user|username|victim|destination|members?)$/i;

/**
 * Suggestions for the field, at most 8: commands that begin with the typed word, then what may follow a command.
 * `players` is asked only where the name of a player may stand.
 */
export function complete(
  text: string,
  commands: readonly KnownCommand[],
  players: () => readonly string[],
): Suggestion[] {
  const slash = text.startsWith('/') ? '/' : '';
  const words = text.slice(slash.length).split(' ');
  const [name = '', ...typed] = words;
  const known = commands.find((command) => command.name === name.toLowerCase());
  const slots = known ? slotsOf(known.usage) : [];
  const found =
    typed.length > 0
      ? following(text, slots, typed.length - 1, typed.at(-1)!, players)
      : [
          // the arguments of a complete command, then longer commands
          ...(known ? following(`${text} `, slots, 0, '', () => []) : []),
          ...(name === '' ? [] : named(slash, name, commands)),
        ];
  return found.slice(0, max_suggestions);
}

const startsWith = (word: string, typed: string): boolean =>
  word !== typed && word.toLowerCase().startsWith(typed.toLowerCase());

const named = (slash: string, typed: string, commands: readonly KnownCommand[]): Suggestion[] =>
  commands
    .filter(({ name }) => startsWith(name, typed))
    .map(({ name, usage }) => ({ text: slash + name, is_partial: usage !== '' }));

function following(
  text: string,
  slots: readonly Slot[],
  at: number,
  typed: string,
  players: () => readonly string[],
): Suggestion[] {
  const slot = slots[at];
  if (!slot) return [];
  const words = slot.is_player ? [...slot.words, ...players()] : slot.words;
  const before = text.slice(0, text.length - typed.length);
  return words
    .filter((word) => startsWith(word, typed))
    .map((word) => ({ text: before + word, is_partial: at + 1 < slots.length }));
}

/** The places of `(clear|rain|thunder) [<duration>]` and of `<survival|creative> [player]`. */
export const slotsOf = (usage: string): Slot[] => split(usage, ' ').map(slotOf);

function slotOf(text: string): Slot {
  const choices = alternatives(text);
  const is_choice = choices.length > 1;
  const names = choices.filter((choice) => choice.is_name || (!is_choice && /^[[<]/.test(text)));
  const words = choices.filter((choice) => !names.includes(choice)).map(({ word }) => word);
  return {
    words: words.filter((word) => /^[\w.:+-]+$/.test(word)),
    is_player: names.some(({ word }) => player.test(word.split(/[ .]/)[0]!)),
  };
}

/** `is_name` is a value that the user makes up, in `<>` of its own. */
function alternatives(text: string): Array<{ word: string; is_name: boolean }> {
  const inner = /^(?:\((.*)\)|\[(.*)\])$/.exec(text);
  if (inner) return alternatives(inner[1] ?? inner[2] ?? '');
  const parts = split(text, '|');
  if (parts.length > 1) return parts.flatMap(alternatives);
  const name = /^<(.*)>$/.exec(text);
  if (!name) return text === '' ? [] : [{ word: text, is_name: false }];
  const within = split(name[1]!, '|');
  return within.map((word) => ({ word, is_name: within.length === 1 }));
}

/** Parts of `text` between `separator`, which counts outside of brackets only. */
function split(text: string, separator: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at <= text.length; at++) {
    const character = text[at];
    if (character === undefined || (character === separator && depth <= 0)) {
      if (at > from) parts.push(text.slice(from, at));
      from = at + 1;
    } else if ('([<'.includes(character)) depth += 1;
    else if (')]>'.includes(character)) depth -= 1;
  }
  return parts;
}
