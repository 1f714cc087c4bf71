import { describe, expect, it } from 'vitest';
import { max_commands_bytes } from '#control/protocol/console.ts';
import { askForCommands } from './help.ts';
import { HelpAnswer } from './parse-help.ts';

const vanilla = `
[19:04:12] [Server thread/INFO]: /advancement (grant|revoke)
[19:04:12] [Server thread/INFO]: /ban <targets> [<reason>]
[19:04:12] [Server thread/INFO]: /experience (add|query|set)
[19:04:12] [Server thread/INFO]: /gamemode <gamemode> [<target>]
[19:04:12] [Server thread/INFO]: /msg <targets> <message>
[19:04:12] [Server thread/INFO]: /reload
[19:04:12] [Server thread/INFO]: /tell -> msg
[19:04:12] [Server thread/INFO]: /weather (clear|rain|thunder)
[19:04:12] [Server thread/INFO]: /xp -> experience`;

/** Pages of vanilla before 1.13. */
const old = (at: number) =>
  [
    `[19:04:12] [Server thread/INFO]: --- Showing help page ${at} of 3 (/help <page>) ---`,
    ...[1, 2].map((n) => `[19:04:12] [Server thread/INFO]: /old${at}${n} <survival|creative> [player ...]`),
  ].join('\n');

const paper = `
[19:04:12 INFO]: \u001b[33m--------- \u001b[37mHelp: Index \u001b[33m---------------------------
[19:04:12 INFO]: \u001b[37mUse /help [n] to get page n of help.
[19:04:12 INFO]: \u001b[33mAliases: \u001b[37mLists command aliases
[19:04:12 INFO]: Bukkit: All commands for Bukkit
[19:04:12 INFO]: Minecraft: All commands for Minecraft
[19:04:12 INFO]: World-Edit: All commands for World-Edit
[19:04:12 INFO]: \u001b[33m/ban: \u001b[37mA Mojang provided command.
[19:04:12 INFO]: /minecraft:ban: A Mojang provided command.
[19:04:12 INFO]: /plugins: Gets a list of plugins running on the server
[19:04:12 INFO]: /weather: A Mojang provided command.
[19:04:12 INFO]: /worldedit:brush: Brushing commands`;

const demo = (at: number) => `
[19:04:12] [INFO]: --=[ Help, page ${at} of 2 ]=--
[19:04:12] [INFO]: \u001b[33m/${at === 1 ? 'gamemode <mode> [player]' : 'ping [number]'}\u001b[39m: to pong! 
[19:04:12] [INFO]: /stop${at}: Stop the server \u001b[42mConsole only\u001b[49m`;

const unknown = `
[19:04:12] [Server thread/INFO]: Unknown or incomplete command, see below for error
[19:04:12] [Server thread/INFO]: help<--[HERE]`;

const linesOf = (text: string) => text.trim().split('\n');
const learned = (...texts: string[]) => {
  const answer = new HelpAnswer();
  const left = texts.flatMap(linesOf).filter((line) => !answer.take(line));
  return { answer, left, commands: answer.commands().map(({ name, usage }) => `${name} ${usage}`.trim()) };
};

describe('an answer to help', () => {
  it('of vanilla names every command with its arguments, and aliases with those of their command', () => {
    const { commands, left } = learned(vanilla);
    expect(left).toEqual([]);
    expect(commands).toEqual([
      'advancement (grant|revoke)',
      'ban <targets> [<reason>]',
      'experience (add|query|set)',
      'gamemode <gamemode> [<target>]',
      'msg <targets> <message>',
      'reload',
      'tell <targets> <message>',
      'weather (clear|rain|thunder)',
      'xp (add|query|set)',
    ]);
  });

  it('of older versions and of the demo server has pages', () => {
    expect(learned(old(1)).answer.pages).toBe(3);
    expect(learned(old(1), old(2)).commands).toContain('old21 <survival|creative> [player ...]');
    expect(learned(demo(1)).answer.pages).toBe(2);
    expect(learned(demo(1), demo(2))).toMatchObject({
      left: [],
      commands: ['gamemode <mode> [player]', 'ping [number]', 'stop1', 'stop2'],
    });
  });

  it('of Bukkit has no arguments: those of the help of the game are added', () => {
    const { answer, commands, left } = learned(paper);
    expect([answer.is_bukkit, answer.pages, left]).toEqual([true, 1, []]);
    expect(commands).toEqual(['ban', 'plugins', 'weather', 'worldedit:brush']);
    expect(learned(paper, vanilla).commands).toContain('weather (clear|rain|thunder)');
  });

  it('does not take other lines, whatever comes between', () => {
    const others = [
      '[19:04:12] [Server thread/INFO]: tamsin joined the game',
      '[19:04:12] [Server thread/INFO]: <tamsin> /help does not work',
      '[19:04:12 INFO]: tamsin issued server command: /help',
      '[19:04:12] [Server thread/INFO]: /10.4.0.18:52114 lost connection: Disconnected',
      '[19:04:12] [Server thread/INFO]: /fe80:0:0:0:1:2:3:4:52114 lost connection',
      '[19:04:12 INFO]: [Essentials] /fly is disabled in this world',
      '[19:04:12] [INFO]: Done (0.1s)! For help, type "help"',
      '',
    ];
    expect(learned(others.join('\n')).left).toEqual(linesOf(others.join('\n')));
  });

  it('of a server without help is left out once, and names nothing', () => {
    const { commands, left } = learned(unknown, unknown);
    expect(commands).toEqual([]);
    expect(left).toEqual(linesOf(unknown));
  });

  it('is bounded, however long it is', () => {
    const many = Array.from({ length: 20_000 }, (_, n) => `/command${n} ${'<x> '.repeat(40)}`);
    const { commands, left } = learned(many.join('\n'));
    expect(left).toEqual([]);
    expect(Buffer.byteLength(commands.join('\n'))).toBeLessThanOrEqual(max_commands_bytes);
    expect(learned(`/long ${'<x>'.repeat(200)}`).commands).toEqual(['long']);
  });
});

describe('the question for commands', () => {
  const help = { command: 'help', detailed: 'minecraft:help' };
  const timing = { first: 60, silence: 20, total: 500 };
  /** A console whose process answers as `answers` says. */
  const consoleOf = (answers: (command: string) => string | null) => {
    const shown: string[] = [];
    const asked: string[] = [];
    let take: ((text: string) => boolean) | null = null;
    return {
      shown,
      asked,
      isAsking: () => take !== null,
      leaveOut: (to: typeof take) => {
        take = to;
      },
      async writeUnseen(command: string) {
        asked.push(command);
        const answer = answers(command);
        if (answer === null) return false;
        queueMicrotask(() => {
          for (const line of answer === '' ? [] : linesOf(answer)) if (!take?.(line)) shown.push(line);
        });
        return true;
      },
    };
  };
  const pageOf = (command: string) => Number(command.split(' ')[1] ?? 1);

  it('asks for every page, and leaves nothing of it in the console', async () => {
    const console = consoleOf((command) => `${old(pageOf(command))}\n[19:04:12] [Server thread/INFO]: tick`);
    const commands = await askForCommands(console, help, timing);
    expect(console.asked).toEqual(['help', 'help 2', 'help 3']);
    expect(commands?.map(({ name }) => name)).toEqual(['old11', 'old12', 'old21', 'old22', 'old31', 'old32']);
    expect(console.shown).toEqual(Array(3).fill('[19:04:12] [Server thread/INFO]: tick'));
    expect(console.isAsking()).toBe(false);
  });

  it('asks Bukkit for the arguments of the commands of the game', async () => {
    const console = consoleOf((command) => (command === 'help' ? paper : vanilla));
    const commands = await askForCommands(console, help, timing);
    expect(console.asked).toEqual(['help', 'minecraft:help']);
    expect(commands).toContainEqual({ name: 'weather', usage: '(clear|rain|thunder)' });
  });

  it('ends without an answer, without help and without a process', async () => {
    const silent = consoleOf(() => '');
    expect(await askForCommands(silent, help, timing)).toEqual([]);
    expect(
      await askForCommands(
        consoleOf(() => unknown),
        help,
        timing,
      ),
    ).toEqual([]);
    const gone = consoleOf(() => null);
    expect(await askForCommands(gone, help, timing)).toBeNull();
    for (const console of [silent, gone]) expect(console.isAsking()).toBe(false);
  });

  it('asks for no more than forty pages', async () => {
    const console = consoleOf(() => '--- Showing help page 1 of 9999 (/help <page>) ---\n/one');
    expect(await askForCommands(console, help, timing)).toEqual([{ name: 'one', usage: '' }]);
    expect(console.asked).toHaveLength(40);
  });
});
