import { createRequire } from 'node:module';

/** A player for tests, controlled by messages of its parent (`agents/testing/minecraft-bot.ts`); never part of the image. */

/** The parts of mineflayer that are used. */
interface Player {
  on(event: 'messagestr', heard: (text: string) => void): void;
  once(event: 'spawn', then: () => void): void;
  once(event: 'kicked' | 'error' | 'end', then: (why: unknown) => void): void;
  chat(text: string): void;
  quit(): void;
  entity: { position: Position };
  game: { gameMode: string };
  blockAt(position: Position): { name: string } | null;
  dig(block: { name: string }, look: 'ignore'): Promise<void>;
}
/** A vec3, which blocks are asked for by. */
interface Position {
  x: number;
  y: number;
  z: number;
  floored(): Position;
  offset(x: number, y: number, z: number): Position;
}
export type Place = [x: number, y: number, z: number];
export type FromBot =
  | { spawned: true }
  | { heard: string }
  | { gone: string }
  | { dug: Place | null }
  | { block: string | null }
  | { stands: Place; mode: string };
/** `dig`: the first solid block so far beside its feet. `look`: the name of the block there. `where`: where it stands. */
export type ToBot =
  | { chat: string }
  | { leave: true }
  | { dig: [x: number, z: number] }
  | { look: Place }
  | { where: true };

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
/** Digs the highest solid block of the column beside it. */
async function dig([x, z]: [number, number]): Promise<Place | null> {
  const feet = player.entity.position.floored();
  for (let down = 1; down > -4; down--) {
    const place = feet.offset(x, down, z);
    const block = player.blockAt(place);
    if (!block || block.name === 'air') continue;
    await player.dig(block, 'ignore');
    return [place.x, place.y, place.z];
  }
  return null;
}
function look([x, y, z]: Place): string | null {
  const at = player.entity.position.floored();
  return player.blockAt(at.offset(x - at.x, y - at.y, z - at.z))?.name ?? null;
}
process.on('message', (message: ToBot) => {
  if ('chat' in message) player.chat(message.chat);
  else if ('leave' in message) player.quit();
  else if ('look' in message) tell({ block: look(message.look) });
  else if ('where' in message) {
    const { x, y, z } = player.entity.position.floored();
    tell({ stands: [x, y, z], mode: player.game.gameMode });
  } else
    void dig(message.dig).then(
      (dug) => tell({ dug }),
      () => tell({ dug: null }),
    );
});
process.once('disconnect', () => process.exit());
