import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { kindOf } from '#agents/plan/kinds.ts';
import { load } from '../agents/local-kind/loader.ts';
import { offlineUuid, Players } from '../agents/local-kind/players.ts';
import { defaults, format, parse, withWhitelist } from '../agents/local-kind/properties.ts';
import { type SentSpec, serverSpec } from '../control-plane/protocol/agent.ts';

/** The demo game without world and network, on the folder of a server: its start, its files, and its words. */
export interface DemoGame {
  /** What its start says. */
  lines: readonly string[];
  /** Why it does not start, or null. */
  error: string | null;
  /** Names of the players who are on it; a test lets them join, a kick removes them. */
  online: Set<string>;
  /** What it answers to a command, or null. */
  command(text: string): string | null;
}

/** Starts it with the environment that the agent would give its container. */
export function demoGame(spec: SentSpec, folder: string): DemoGame {
  const { lines, error } = load(kindOf({ kind: 'local' })!.env(serverSpec.parse(spec)), folder);
  const online = new Set<string>();
  const path = `${folder}/server.properties`;
  if (!error && !existsSync(path)) writeFileSync(path, format(defaults));
  const words = error ? null : commandsOf(folder, online);
  return {
    ...{ online, error },
    lines: [...lines, error ?? 'Done (0.500s)! For help, type "help"'].map((line) => `[INFO]: ${line}`),
    command(text) {
      const [, base = '', rest = ''] = /^(\S+)\s*(.*)$/.exec(text) ?? [];
      return words?.[base]?.(rest) ?? null;
    },
  };
}

/** Commands about players, as `agents/local-kind/server.ts` has them. */
function commandsOf(folder: string, online: Set<string>): Record<string, (rest: string) => string> {
  const path = `${folder}/server.properties`;
  const values = { ...defaults, ...parse(readFileSync(path, 'utf8')) };
  const players = new Players(folder, {
    rules: {
      ...{ whitelist: values['white-list'] === 'true', enforced: values['enforce-whitelist'] === 'true' },
      ...{ level: Number(values['op-permission-level'] ?? 4), online_mode: values['online-mode'] === 'true' },
    },
    online: {
      players: () => [...online].map((name) => ({ name, uuid: offlineUuid(name), address: '127.0.0.1' })),
      kick: (name) => void online.delete(name),
    },
    say: () => {},
  });
  const keepWhitelist = (on: boolean) => writeFileSync(path, withWhitelist(readFileSync(path, 'utf8'), on));
  return {
    list: () => players.list(),
    whitelist: (rest) => players.whitelist(rest, keepWhitelist),
    op: (rest) => players.op(rest),
    deop: (rest) => players.deop(rest),
    ban: (rest) => players.ban(rest),
    pardon: (rest) => players.pardon(rest),
    kick: (rest) => players.kick(rest),
    say: (rest) => `[Server] ${rest}`,
  };
}
