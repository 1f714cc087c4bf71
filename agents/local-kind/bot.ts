import { createRequire } from 'node:module';
import { setTimeout } from 'node:timers/promises';

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
  blockAt(position: Position): Block | null;
  dig(block: Block, look: 'ignore'): Promise<void>;
}
interface Block {
  name: string;
  /** `empty`: one walks through it, as through water and tall grass. */
  boundingBox: 'block' | 'empty';
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
/** `dig`: a block of the ground beside its feet. `look`: the name of the block there. `where`: where it stands. */
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
/**
 * Digs the highest block of the ground in the column so far beside it, or in the nearest one that has ground: worlds differ,
 * and there is often water beside it, which takes minutes. Waits until that part of the world has arrived.
 */
async function dig([x, z]: [number, number]): Promise<Place | null> {
  const feet = player.entity.position.floored();
  while (!player.blockAt(feet.offset(x, 0, z))) await setTimeout(50);
  for (const [more_x, more_z] of nearest) {
    if (x + more_x === 0 && z + more_z === 0) continue; // it would fall
    const place = groundAt(feet, x + more_x, z + more_z);
    if (!place) continue;
    await player.dig(player.blockAt(place)!, 'ignore');
    return [place.x, place.y, place.z];
  }
  return null;
}
/** Columns around one, nearest first; a hand reaches no further. */
const nearest = [-2, -1, 0, 1, 2]
  .flatMap((x) => [-2, -1, 0, 1, 2].map((z) => [x, z] as const))
  .sort(([ax, az], [bx, bz]) => ax * ax + az * az - (bx * bx + bz * bz));
/** Of that column; null when there is none, or water above it. */
function groundAt(feet: Position, x: number, z: number): Position | null {
  for (let down = 1; down > -4; down--) {
    const place = feet.offset(x, down, z);
    const block = player.blockAt(place);
    if (block?.name === 'water') return null;
    if (block?.boundingBox === 'block') return place;
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
