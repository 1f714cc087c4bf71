import type { Namespace, Socket } from 'socket.io';
import type { ConsoleLine, ConsoleUpdate } from '../protocol/console.ts';
import { roomOf } from '../rooms.ts';
import { bufferedBytes, high_water_bytes, low_water_bytes } from './backpressure.ts';
import { LineBuffer } from './line-buffer.ts';

/** Lines as an agent sends them: those between `from` and the first are lost for good. */
export interface Batch {
  epoch: string;
  from: number;
  lines: ConsoleLine[];
}
/** What a viewer has already: all lines of this epoch before `next`. */
export interface ClientPosition {
  epoch: string;
  next: number;
}
/** Fetches what the agent has of a console: once when it is opened, and again when lines are missing. */
export type Tail = () => Promise<{ epoch: string | null; lines: ConsoleLine[] } | null>;

/** Live batches held during a backfill; of more than this the oldest are fetched again. */
const max_pending = 200;
const retry_ms = 50;
/** Lines that a slow viewer gets at once, so that what waits for it stays small. */
const catch_up_lines = 2_000;

/**
 * A console with viewers: the buffer of its newest lines, who gets them live, and who is too slow for that and gets what
 * is left in the buffer once their connection has drained. Source: hosting §5.4.
 */
export class LiveConsole {
  readonly server_id: string;
  readonly viewers = new Set<Socket>();
  readonly #namespace: Namespace;
  readonly #tail: Tail;
  #buffer: LineBuffer | null = null;
  #backfilling: Promise<void> | null = null;
  #pending: Batch[] = [];
  /** Viewers that are too slow, or joined before anything was known, with the position of each. */
  readonly #lagging = new Map<Socket, ClientPosition | undefined>();
  #timer: NodeJS.Timeout | undefined;
  /** Sends that were left out because a viewer was slow. */
  paused_count = 0;

  constructor(namespace: Namespace, server_id: string, tail: Tail) {
    this.#namespace = namespace;
    this.server_id = server_id;
    this.#tail = tail;
  }

  /** Fetches what the agent has and merges it with what came live meanwhile. */
  backfill(): Promise<void> {
    this.#backfilling ??= this.#tail()
      .catch(() => null)
      .then((tail) => {
        this.#backfilling = null;
        if (tail?.epoch) this.#append(tail.epoch, tail.lines, true);
        for (const batch of this.#pending.splice(0)) this.#append(batch.epoch, batch.lines, true);
        this.#catchUp();
      });
    return this.#backfilling;
  }

  /** Handles lines that came live. Missing lines before them that the agent does not call lost are fetched first. */
  take(batch: Batch): void {
    if (this.#backfilling) {
      this.#pending.push(batch);
      if (this.#pending.length > max_pending) this.#pending.shift();
      return;
    }
    const next = this.#buffer?.epoch === batch.epoch ? this.#buffer.next : 1;
    if (batch.from > next) {
      this.#pending.push(batch);
      void this.backfill();
    } else {
      const first = this.#buffer === null;
      this.#append(batch.epoch, batch.lines, false);
      if (first) this.#catchUp();
    }
  }

  #append(epoch: string, lines: ConsoleLine[], fetched: boolean): void {
    if (this.#buffer?.epoch !== epoch) {
      const first = this.#buffer === null;
      this.#buffer = new LineBuffer(epoch);
      // lines before the first fetched one are no gap
      if (fetched && first && lines[0]) this.#buffer.next = lines[0].seq;
    }
    const from = this.#buffer.next;
    const added = this.#buffer.append(lines, { lag: this.#lagging.size > 0 });
    if (added.length > 0) this.#broadcast(updateOf(this.server_id, this.#buffer.epoch, from, added));
  }

  #broadcast(update: ConsoleUpdate): void {
    this.#namespace.to(roomOf(this.server_id, 'console')).emit('console', update);
    for (const viewer of this.viewers) {
      if (this.#lagging.has(viewer)) this.paused_count += this.#timer ? 1 : 0;
      else if (bufferedBytes(viewer) > high_water_bytes) this.#pause(viewer);
    }
  }

  #pause(viewer: Socket): void {
    viewer.leave(roomOf(this.server_id, 'console'));
    this.#lagging.set(viewer, { epoch: this.#buffer!.epoch, next: this.#buffer!.next });
    this.#timer ??= setInterval(() => this.#catchUp(), retry_ms).unref();
  }

  #catchUp(): void {
    for (const [viewer, position] of this.#lagging) {
      if (!this.#buffer || bufferedBytes(viewer) > low_water_bytes) continue;
      const update = this.#since(position, 'oldest');
      if (update && update.lines.length > 0) viewer.emit('console', update);
      const last = update?.lines.at(-1);
      if (last && last.seq + 1 < this.#buffer.next) {
        this.#lagging.set(viewer, { epoch: this.#buffer.epoch, next: last.seq + 1 });
        continue;
      }
      this.#lagging.delete(viewer);
      viewer.join(roomOf(this.server_id, 'console'));
    }
    if (this.#lagging.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** Up to `catch_up_lines` buffered lines after the viewer's position: the `oldest`, or the newest and a gap. */
  #since(position: ClientPosition | undefined, which: 'oldest' | 'newest'): ConsoleUpdate | null {
    const buffer = this.#buffer;
    if (!buffer) return null;
    const newest = buffer.next - catch_up_lines;
    // 0 is the position of a viewer that knows this process and none of its lines
    if (position?.epoch === buffer.epoch && position.next > 0) {
      const from = which === 'oldest' ? position.next : Math.max(position.next, newest);
      const lines = buffer.since(from, catch_up_lines);
      return updateOf(this.server_id, buffer.epoch, position.next, lines);
    }
    const lines = buffer.since(newest, catch_up_lines);
    return updateOf(this.server_id, buffer.epoch, lines[0]?.seq ?? buffer.next, lines);
  }

  /** Adds a viewer. Gives the lines that it shows first, null when nothing is known. */
  async enter(viewer: Socket, position: ClientPosition | undefined): Promise<ConsoleUpdate | null> {
    this.viewers.add(viewer);
    if (!this.#buffer || this.#backfilling) await this.backfill();
    if (!this.viewers.has(viewer)) return null;
    if (this.#buffer) viewer.join(roomOf(this.server_id, 'console'));
    else this.#lagging.set(viewer, position);
    return this.#since(position, 'newest');
  }

  /** Removes a viewer. Gives whether others are left. */
  leave(viewer: Socket): boolean {
    viewer.leave(roomOf(this.server_id, 'console'));
    this.#lagging.delete(viewer);
    this.viewers.delete(viewer);
    return this.viewers.size > 0;
  }

  close(): void {
    clearInterval(this.#timer);
  }
}

function updateOf(server_id: string, epoch: string, from: number, lines: ConsoleLine[]): ConsoleUpdate {
  return { server_id, epoch, from, gap: lines[0] ? Math.max(0, lines[0].seq - from) : 0, lines };
}
