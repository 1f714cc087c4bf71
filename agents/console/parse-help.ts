import { stripVTControlCharacters } from 'node:util';
import { type KnownCommand, max_commands_bytes, max_usage_characters } from '#control/protocol/console.ts';

/** What game servers answer to `help`, in the forms of vanilla (old and new), Bukkit and the demo server. */

/** `[19:04:11 INFO]: `, `[19:04:11] [Server thread/INFO]: ` and what mod loaders add to it. */
const head = /^\[[^\]\n]{0,24}\d\d:\d\d:\d\d[^\]\n]{0,24}\](?: \[[^\]\n]{1,80}\]){0,3}:? /;
/** Colours as the game writes them in its own texts. */
const game_colours = /§./g;
/** `--- Showing help page 1 of 8 (/help <page>) ---`, `--------- Help: Index (1/9) -----`, `--=[ Help, page 1 of 3 ]=--` */
const title = /^\W{2,80}[^\n]{0,200}?\bhelp\b/i;
const page = /(\d{1,4}) ?(?:\/|of) ?(\d{1,4})/i;
/** What Bukkit and its plugins write between the title and the commands. */
const between = /^(?:Use|Type) \/?help |^[\w .'-]{1,60}: (?:Lists command aliases|All commands for )/;
/** `/gamemode <mode> [player]`, `/ban: A Mojang provided command.`, `/ping [number]: to pong!`, `/tell -> msg` */
const command = /^\/([a-z?][\w.?+-]*(?::[\w.?+-]+)?)(?=$| |: )(.*)$/i;
/** From a server without help: at most this many such lines are left out. */
const unknown =
  /^unknown (?:or incomplete )?command\b|\bhelp ?<--\[HERE\]|^command not found\.?$|^unknown help$/i;
const max_unknown = 2;
/** What is read of a line: a server may print anything, and its owner asks when they like. */
const max_line_characters = 500;

/** An answer to `help`, line by line: which lines belong to it, and the commands that it names. */
export class HelpAnswer {
  readonly #commands = new Map<string, string>();
  readonly #aliases = new Map<string, string>();
  #bytes = 0;
  #unknown = 0;
  /** Lines that belong to it. */
  lines = 0;
  /** Pages that it has, by its title. */
  pages = 1;
  /** It has the form of Bukkit: names without arguments. */
  is_bukkit = false;

  /** Whether `text` is a line of the answer. */
  take(text: string): boolean {
    const line = plain(text.slice(0, max_line_characters));
    const found = command.exec(line);
    const is_answer = found !== null || this.#isOther(line);
    if (!is_answer) return false;
    this.lines += 1;
    if (found) this.#add(found[1]!, found[2]!);
    return true;
  }

  #isOther(line: string): boolean {
    if (title.test(line)) {
      this.pages = Math.max(this.pages, Number(page.exec(line)?.[2] ?? 1));
      return true;
    }
    if (between.test(line)) {
      this.is_bukkit = true;
      return true;
    }
    if (!unknown.test(line) || this.#unknown >= max_unknown) return false;
    this.#unknown += 1;
    return true;
  }

  #add(name: string, rest: string): void {
    const alias = /^ -> (\S+)/.exec(rest)?.[1];
    const usage = alias ? '' : usageOf(rest);
    const known = this.#commands.get(name);
    if (known !== undefined && usage.length <= known.length) return;
    const cost = Buffer.byteLength(name + usage) + 24;
    if (this.#bytes + cost > max_commands_bytes || name.length > 100) return;
    this.#bytes += cost;
    if (alias) this.#aliases.set(name, alias);
    this.#commands.set(name, usage);
  }

  /** The commands by name; one that exists without its `minecraft:` is listed without it only. */
  commands(): KnownCommand[] {
    const names = [...this.#commands.keys()].filter(
      (name) => !this.#commands.has(bare(name)) || !name.includes(':'),
    );
    return names.sort().map((name) => {
      const target = this.#aliases.get(name) ?? name;
      const usages = [this.#commands.get(target), this.#commands.get(`minecraft:${target}`)];
      return { name, usage: usages.find(Boolean) ?? '' };
    });
  }
}

const bare = (name: string): string => name.slice(name.indexOf(':') + 1);

const plain = (text: string): string =>
  stripVTControlCharacters(text).replace(head, '').replace(game_colours, '').trim();

/** The arguments, without the description behind them. */
function usageOf(rest: string): string {
  if (rest.startsWith(':')) return '';
  const end = rest.indexOf(': ');
  const usage = (end < 0 ? rest : rest.slice(0, end)).trim();
  return usage.length <= max_usage_characters ? usage : '';
}
