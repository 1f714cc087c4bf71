import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { defaultVersion } from '#db/hosting/server-kinds/rules.ts';
import { ensurePackages, localKind } from '../images/local-image.ts';
import type { FromBot, Place, ToBot } from '../local-kind/bot.ts';

/** A real client of the game, joined to a world. */
export interface Bot {
  /** Received chat and server messages, oldest first. */
  received: readonly string[];
  chat(text: string): void;
  /** The first received or future message that matches; fails when the bot left or after `limit_ms`. */
  waitForText(pattern: RegExp, limit_ms?: number): Promise<string>;
  /** Where its feet are, and in which mode it plays. */
  where(): Promise<{ place: Place; mode: string }>;
  /** Digs a block of the ground so far beside its feet, or near that, and gives where that was. */
  dig(x: number, z: number): Promise<Place>;
  /** The name of a block near it, null while that part of the world has not arrived. */
  blockAt(place: Place): Promise<string | null>;
  /** Why it left, null while it is in the world. */
  endReason(): string | null;
  leave(): Promise<void>;
}

/**
 * Joins a game server and gives the bot once it is in the world. Retries until `limit_ms` while the server is not
 * ready; any other refusal fails with its message. Installs its packages when they are missing.
 */
export async function joinGame(
  { host, port }: { host: string; port: number },
  name: string,
  { version = defaultVersion('local'), limit_ms = 90_000 } = {},
): Promise<Bot> {
  await ensurePackages(console.log);
  const until = Date.now() + limit_ms;
  for (;;) {
    const one = body(
      fork(join(localKind, 'bot.ts'), [host, String(port), name, version], { stdio: 'inherit' }),
    );
    const why = await one.standing(until - Date.now());
    if (why === null) return one;
    await one.leave();
    if (Date.now() > until || !/ECONNREFUSED|ECONNRESET|socketClosed|still starting/.test(why))
      throw new Error(`${name} could not join ${host}:${port}: ${why}`);
    await setTimeout(250);
  }
}

function body(child: ChildProcess): Bot & { standing(limit_ms: number): Promise<string | null> } {
  const received: string[] = [];
  let [stands, endReason] = [false, null as string | null];
  const answers: FromBot[] = [];
  const watchers = new Set<() => void>();
  child.on('message', (message: FromBot) => {
    if ('spawned' in message) stands = true;
    else if ('heard' in message) received.push(message.heard);
    else if ('gone' in message) endReason ??= message.gone;
    else answers.push(message);
    for (const look of [...watchers]) look();
  });
  child.once('exit', (code) => {
    endReason ??= `its process ended with code ${code}`;
    for (const look of [...watchers]) look();
  });
  /** Waits until `look` gives a value, the bot left or the time is up; null in the last two cases. */
  const until = <T>(limit_ms: number, look: () => T | undefined): Promise<T | null> =>
    new Promise((done) => {
      const end = (found: T | null) => {
        clearTimeout(timer);
        watchers.delete(check);
        done(found);
      };
      const timer = globalThis.setTimeout(end, Math.max(limit_ms, 0), null);
      const check = () => {
        const found = look();
        if (found !== undefined) end(found);
        else if (endReason !== null) end(null);
      };
      watchers.add(check);
      check();
    });
  const send = (message: ToBot) => child.connected && child.send(message, () => {});
  return {
    received,
    endReason: () => endReason,
    chat: (text) => void send({ chat: text }),
    async standing(limit_ms) {
      const found = await until(limit_ms, () => (stands && endReason === null ? true : undefined));
      return found ? null : (endReason ?? 'it did not come to stand in the world in time');
    },
    async waitForText(pattern, limit_ms = 40_000) {
      const found = await until(limit_ms, () => received.find((line) => pattern.test(line)));
      if (found !== null) return found;
      throw new Error(
        `the bot did not hear ${pattern} (${endReason ?? 'in time'}); it heard: ${received.join(' | ')}`,
      );
    },
    async where() {
      send({ where: true });
      const answer = await until(40_000, () => answers.shift());
      if (answer && 'stands' in answer) return { place: answer.stands, mode: answer.mode };
      throw new Error(`the bot could not tell where it stands (${endReason ?? 'in time'})`);
    },
    async dig(x, z) {
      send({ dig: [x, z] });
      const answer = await until(40_000, () => answers.shift());
      if (answer && 'dug' in answer && answer.dug) return answer.dug;
      throw new Error(`the bot could not dig (${endReason ?? JSON.stringify(answer)})`);
    },
    async blockAt(place) {
      send({ look: place });
      const answer = await until(40_000, () => answers.shift());
      if (answer && 'block' in answer) return answer.block;
      throw new Error(`the bot could not look (${endReason ?? 'in time'})`);
    },
    async leave() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = new Promise<void>((done) => child.once('exit', () => done()));
      send({ leave: true });
      const hard = globalThis.setTimeout(() => child.kill('SIGKILL'), 5_000);
      await ended;
      clearTimeout(hard);
    },
  };
}
