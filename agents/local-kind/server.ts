import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { performance } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { load } from './loader.ts';
import { Players, type Visitor } from './players.ts';
import { defaults, format, gameModes, parse, settingsOf, withWhitelist } from './properties.ts';
import { type SavedPlayer, Saving, type World } from './saving.ts';

/**
 * The game server of the `local` image: flying-squid behind the environment, folder, console and signals of
 * itzg/minecraft-server (EULA, TYPE and versions of loaders, VERSION, MEMORY, JVM_OPTS, /data, stdin, SIGTERM, a "Done" line). Source: hosting §1b.
 */

/** The parts of flying-squid that are used; it brings no types. */
interface Server {
  log: (message: string) => void;
  info(message: string): void;
  quit(reason: string): Promise<void>;
  once(event: 'ready' | 'error', then: (error?: Error) => void): void;
  on(event: 'error', then: (error: Error) => void): void;
  commands: { add(command: Command): void };
  on(event: 'newPlayer', then: (player: Player) => void): void;
  players: Player[];
  overworld?: World;
  gameMode: number;
  /** How newer versions of the game greet a player. */
  registry: { loginPacket?: { worldState?: { gamemode: string } } };
}
interface Player extends SavedPlayer {
  /** What is known before somebody is in the world. */
  _client: { username: string; uuid: string; socket?: { remoteAddress?: string } };
  op: boolean;
  login(): Promise<void>;
  kick(reason: string): void;
}
interface Command {
  base: string;
  info: string;
  usage: string;
  op: true;
  onlyConsole?: true;
  parse?(text: string): unknown;
  action(parameters: string): unknown;
}

const began = performance.now();
let measured = performance.eventLoopUtilization();
const data = process.env.DATA ?? '/data';
const version = process.env.VERSION ?? '1.16.5';
const require = createRequire(import.meta.url);

const say = (text: string): void => {
  const time = new Date().toISOString().slice(11, 19);
  process.stdout.write(`[${time}] ${text}\n`);
};
const refuse = (words: string): never => {
  say(`[ERROR]: ${words}`);
  process.exit(1);
};

if (process.env.EULA?.toUpperCase() !== 'TRUE' && !existsSync(`${data}/eula.txt`))
  refuse('Accept the EULA of the game first: set EULA=TRUE.');
const heap_mb = /^(\d+)M$/.exec(process.env.MEMORY ?? '')?.[1];
if (heap_mb) setFlagsFromString(`--max-old-space-size=${heap_mb}`);

quietConsole();
say(`[INFO]: Starting a server for version ${version}`);
const { lines, error } = load(process.env, data);
for (const line of lines) say(`[INFO]: ${line}`);
if (error) refuse(error);
const properties_path = `${data}/server.properties`;
const server = start();
const players = new Players(data, {
  rules: rulesOf(readFileSync(properties_path, 'utf8')),
  online: {
    players: () => server.players.map(visitor),
    kick: (name, reason) => server.players.find(({ username }) => username === name)?.kick(reason),
  },
  say,
});
const saving = new Saving();
process.on('unhandledRejection', (error) => say(`[ERROR]: ${(error as Error)?.stack ?? error}`));
server.log = (message) => say(message.replace(/^\S+ \S+ \d+, \d\d:\d\d:\d\d /, ''));
server.on('error', (error) => refuse(error.message));
server.on('newPlayer', (player) => {
  saving.join(player);
  admit(player);
});
server.once('ready', () => {
  // the library tells the mode in a field that newer versions do not read, and theirs stays that of survival
  const greeting = server.registry.loginPacket?.worldState;
  if (greeting) greeting.gamemode = gameModes[server.gameMode] ?? greeting.gamemode;
  if (server.overworld) saving.watch(server.overworld);
  say(`[INFO]: Done (${((performance.now() - began) / 1000).toFixed(3)}s)! For help, type "help"`);
});
addCommands();
await ownSignals();

/** Without this it writes a prompt and cursor movements between log lines, even without a terminal. */
function quietConsole(): void {
  const readline = require('node:readline') as typeof import('node:readline');
  const create = readline.createInterface;
  readline.createInterface = ((options: { input: NodeJS.ReadableStream }) =>
    create({ input: options.input, terminal: false })) as typeof create;
  readline.cursorTo = () => true;
}

function start(): Server {
  if (!existsSync(properties_path)) writeFileSync(properties_path, format(defaults));
  const settings = settingsOf(parse(readFileSync(properties_path, 'utf8')), version, data);
  // players see who is there before they join, as with the game: 12 at most
  const beforePing = (answer: { players: { sample: object[] } }) => {
    const there = server.players.slice(0, 12).map(visitor);
    answer.players.sample = there.map(({ name, uuid }) => ({ name, id: uuid }));
  };
  try {
    const { createMCServer } = require('flying-squid') as { createMCServer(options: object): Server };
    // with a `debug` function it does not catch errors; without one it swallows them and ends with code 0
    return createMCServer({ ...settings, beforePing, debug: () => {} });
  } catch (error) {
    return refuse((error as Error).message);
  }
}

function rulesOf(text: string) {
  const { 'white-list': list, 'enforce-whitelist': enforced, ...more } = { ...defaults, ...parse(text) };
  const level = Number(more['op-permission-level']);
  return {
    ...{ whitelist: list === 'true', enforced: enforced === 'true' },
    level: level >= 1 && level <= 4 ? level : 4,
    online_mode: more['online-mode'] === 'true',
  };
}

function visitor({ _client: { username, uuid, socket } }: Player): Visitor {
  return { name: username, uuid, address: socket?.remoteAddress?.replace(/^::ffff:/, '') ?? '' };
}

/** Decides whether somebody may join, before the library lets them in; operators are those of `ops.json`. */
function admit(player: Player): void {
  const who = visitor(player);
  const login = player.login;
  Object.defineProperty(player, 'op', { get: () => players.isOperator(who), set: () => {} });
  player.login = async () => {
    const why = players.whyNotJoin(who);
    if (why === null) return await login();
    say(`[INFO]: Disconnecting ${who.name}: ${why.replaceAll('\n', ' ')}`);
    player.kick(why);
  };
}

/** The handler of the library ends the process on SIGTERM before anything is saved. */
async function ownSignals(): Promise<void> {
  const hook = 'exit-hook';
  await import(hook);
  for (const [signal, code] of [
    ['SIGTERM', 143],
    ['SIGINT', 130],
  ] as const) {
    process.removeAllListeners(signal);
    process.once(signal, () => void end(code));
  }
}

/** Disconnects players, saves and ends; a player with a stalled connection delays it by 5 s at most. */
async function end(code: number): Promise<never> {
  server.info('Stopping the server');
  const saved = async () => {
    saving.on();
    await saving.flush(server.players);
    await server.quit('Server closed');
  };
  const late = new Promise((done) => setTimeout(done, 5_000));
  await Promise.race([saved().catch((error: Error) => say(`[ERROR]: ${error.message}`)), late]);
  process.exit(code);
}

/** The game keeps the switch of the whitelist in its properties, and so does this server: nothing else of them changes. */
function whitelist(parameters: string): string {
  return players.whitelist(parameters, (on) =>
    writeFileSync(properties_path, withWhitelist(readFileSync(properties_path, 'utf8'), on)),
  );
}

/** Milliseconds of work in 50, the mean since it was asked last. */
function tickTime(): number {
  const { utilization } = performance.eventLoopUtilization(measured);
  measured = performance.eventLoopUtilization();
  return utilization * 50;
}

/** Commands it lacks, and commands for tests only: ways to crash and to flood the console. */
function addCommands(): void {
  const command = (base: string, info: string, action: (parameters: string) => unknown): Command => ({
    base,
    info,
    usage: `/${base}`,
    op: true,
    action,
  });
  const test = (base: string, info: string, action: (parameters: string) => unknown): void =>
    // its help adds "Console only"
    server.commands.add({ ...command(base, `${info}.`, action), onlyConsole: true });

  server.commands.add(command('stop', 'Stops the server', () => end(0)));
  for (const [base, info, usage, action] of [
    ['list', 'Lists the players online', '', () => players.list()],
    ['whitelist', 'Changes the whitelist', '(add|list|off|on|reload|remove) [player]', whitelist],
    ['op', 'Makes a player an operator', '<player>', (name) => players.op(name)],
    ['deop', 'Takes that back', '<player>', (name) => players.deop(name)],
    ['ban', 'Bans a player', '<player> [reason]', (text) => players.ban(text)],
    ['ban-ip', 'Bans an address', '<address> [reason]', (text) => players.banAddress(text)],
    ['pardon', 'Ends the ban of a player', '<player>', (name) => players.pardon(name)],
    ['pardon-ip', 'Ends the ban of an address', '<address>', (text) => players.pardonAddress(text)],
    ['banlist', 'Lists bans', '[ips|players]', (which) => players.banlist(which)],
    ['kick', 'Disconnects a player', '<player> [reason]', (text) => players.kick(text)],
  ] as [string, string, string, (text: string) => string][])
    server.commands.add({
      ...command(base, info, (text) => action(text.trim())),
      usage: `/${base} ${usage}`.trim(),
    });
  server.commands.add({
    ...command('tick', 'Tells how long ticks take', (parameters) => {
      if (parameters.trim() !== 'query') return 'Usage: tick query';
      return `Target tick rate: 20.0 per second. Average time per tick: ${tickTime().toFixed(1)}ms (Target: 50.0ms)`;
    }),
    usage: '/tick query',
  });
  test('save-off', 'Turns automatic saving off', async () => {
    await saving.off();
    return 'Automatic saving is now disabled';
  });
  test('save-on', 'Turns automatic saving on', () => {
    saving.on();
    return 'Automatic saving is now enabled';
  });
  test('save-all', 'Saves the world now', async () => {
    await saving.flush(server.players);
    return 'Saved the game';
  });
  test('crash', 'Ends with code 42, to see what a crash looks like', () => {
    process.stderr.write('Crashing on request\n');
    process.exit(42);
  });
  test('oom', 'Uses up all memory, to see what happens then', () => {
    const taken: Buffer[] = [];
    const more = () => {
      taken.push(Buffer.alloc(16 * 1024 * 1024, 1));
      setImmediate(more);
    };
    more();
  });
  test('spam', 'Writes many lines, to see the console under load', (count) => {
    const lines = Math.min(Number.parseInt(count, 10) || 0, 1_000_000);
    for (let line = 1; line <= lines; line += 1) process.stdout.write(`spam ${line} of ${lines}\n`);
  });
}
