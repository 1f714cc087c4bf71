import { createRequire } from 'node:module';

/** A player for tests, controlled by messages of its parent (`agents/testing/minecraft-bot.ts`); never part of the image. */

/** The parts of mineflayer that are used. */
interface Player {
  on(event: 'messagestr', heard: (text: string) => void): void;
  once(event: 'spawn', then: () => void): void;
  once(event: 'kicked' | 'error' | 'end', then: (why: unknown) => void): void;
  chat(text: string): void;
  quit(): void;
}
export type FromBot = { spawned: true } | { heard: string } | { gone: string };
export type ToBot = { chat: string } | { leave: true };

const { createBot } = createRequire(import.meta.url)('mineflayer') as {
  createBot(options: object): Player;
};
const [host, port, username, version] = process.argv.slice(2);
const tell = (message: FromBot) => process.send?.(message);
const gone = (why: unknown) => {
  tell({ gone: why instanceof Error ? why.message || String(why) : JSON.stringify(why) });
  // the last message must be sent before the process ends
  setImmediate(() => process.disconnect?.());
};

const player = createBot({ host, port: Number(port), username, version, auth: 'offline', hideErrors: true });
player.once('spawn', () => tell({ spawned: true }));
player.on('messagestr', (text) => tell({ heard: text }));
for (const event of ['kicked', 'error', 'end'] as const) player.once(event, gone);
process.on('message', (message: ToBot) => ('chat' in message ? player.chat(message.chat) : player.quit()));
process.once('disconnect', () => process.exit());
