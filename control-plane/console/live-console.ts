import type { Namespace, Socket } from 'socket.io';
import type { ConsoleLine, ConsoleUpdate } from '../protocol/console.ts';
import { bufferedBytes, high_water_bytes, low_water_bytes } from './backpressure.ts';
import { LineBuffer } from './line-buffer.ts';
import { roomOf } from './rooms.ts';

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
/** Fetches what the agent has of a console before a line: once when it is opened, and again when lines are missing. */
export type Tail = (
  before: number | null,
) => Promise<{ epoch: string | null; lines: ConsoleLine[]; first: number } | null>;

/** Live batches held during a backfill; of more than this the oldest are fetched again. */
const max_pending = 200;
/** How often an agent is asked for missing lines that does not answer, and the pause in between. */
const max_fetches = 4;
const fetch_again_ms = 500;
const retry_ms = 50;
/** Lines that a slow viewer gets at once, so that what waits for it stays small. */
const catch_up_lines = 2_000;
/** Lines that are fetched at most for one that is missing: what an agent keeps of short ones. */
const max_fetched_lines = 40_000;

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
  #has_overflowed = false;
  /** Viewers that are too slow, or joined before anything was known, or know more, with the position of each. */
  readonly #lagging = new Map<Socket, ClientPosition | undefined>();
  /** Viewers whose first lines are on their way: what comes meanwhile must not overtake them. */
  readonly #entering = new Map<Socket, ClientPosition>();
  #timer: NodeJS.Timeout | undefined;
  /** Sends that were left out because a viewer was slow. */
  paused_count = 0;

  constructor(namespace: Namespace, server_id: string, tail: Tail) {
    this.#namespace = namespace;
    this.server_id = server_id;
    this.#tail = tail;
  }

  /**
   * Fetches what the agent has and merges it with what came live meanwhile. A console that nobody has watched yet begins at
   * the position of its viewer, as far as `catch_up_lines` reach.
   */
  backfill(position?: ClientPosition): Promise<void> {
    this.#backfilling ??= this.#fetchMissing(position).finally(() => {
      this.#backfilling = null;
      for (const batch of this.#pending.splice(0)) this.#append(batch.epoch, batch.lines, true);
      this.#catchUp();
    });
    return this.#backfilling;
  }

  /** Fetches until nothing is missing between what is known and what waits, or the agent did not answer often enough. */
  async #fetchMissing(position: ClientPosition | undefined): Promise<void> {
    for (let tries = 1; ; tries++) {
      const tail = await this.#fetchTail(position).catch(() => null);
      if (tail) for (const lines of tail.parts) this.#append(tail.epoch, lines, true);
      // what was dropped is newer than what was fetched
      const again = tail ? this.#has_overflowed : this.#lacksLines() && tries < max_fetches;
      if (tail) this.#has_overflowed = false;
      if (!again) break;
      if (!tail) await new Promise((done) => setTimeout(done, fetch_again_ms));
    }
    this.#has_overflowed = false;
  }

  /** Whether lines that the agent sent are missing before those that wait. */
  #lacksLines(): boolean {
    const [first] = this.#pending;
    if (!first || !this.#buffer) return this.#has_overflowed;
    return first.from > (first.epoch === this.#buffer.epoch ? this.#buffer.next : 1);
  }

  /** The newest lines, and those before them back to the first one that is missing here; oldest first. */
  async #fetchTail(position: ClientPosition | undefined) {
    const newest = await this.#tail(null);
    if (!newest?.epoch) return null;
    const { epoch } = newest;
    const parts = [newest.lines];
    const wanted = this.#firstMissing(epoch, (newest.lines.at(-1)?.seq ?? 0) + 1, position);
    let count = newest.lines.length;
    for (let first = newest.lines[0]?.seq ?? 0; first > wanted && count < max_fetched_lines; ) {
      const tail = await this.#tail(first);
      const lines = tail?.epoch === epoch ? tail.lines : [];
      if (lines.length === 0 || lines[0]!.seq >= first) break;
      parts.unshift(lines);
      count += lines.length;
      first = lines[0]!.seq;
    }
    return { epoch, parts };
  }

  #firstMissing(epoch: string, next: number, position: ClientPosition | undefined): number {
    if (this.#buffer?.epoch === epoch) return this.#buffer.next;
    if (this.#buffer) return next - catch_up_lines;
    if (position?.epoch !== epoch || position.next === 0) return next;
    return Math.max(position.next, next - catch_up_lines);
  }

  /** Handles lines that came live. Missing lines before them that the agent does not call lost are fetched first. */
  take(batch: Batch): void {
    const next = this.#buffer?.epoch === batch.epoch ? this.#buffer.next : 1;
    const first = this.#buffer === null;
    // while older lines are fetched, too: an agent that answers late must not hold up what follows without a gap
    const isNext = batch.from <= next && this.#pending.length === 0;
    if (isNext && !(first && this.#backfilling)) {
      this.#append(batch.epoch, batch.lines, false);
      if (first) this.#catchUp();
      return;
    }
    this.#pending.push(batch);
    if (this.#pending.length > max_pending) {
      this.#pending.shift();
      this.#has_overflowed = true;
    }
    void this.backfill();
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
      if (this.#entering.has(viewer)) continue;
      if (this.#lagging.has(viewer)) this.paused_count += this.#timer ? 1 : 0;
      else if (bufferedBytes(viewer) > high_water_bytes) this.#pause(viewer);
    }
  }

  #pause(viewer: Socket): void {
    viewer.leave(roomOf(this.server_id, 'console'));
    this.#lagging.set(viewer, { epoch: this.#buffer!.epoch, next: this.#buffer!.next });
    this.#retryLater();
  }

  #retryLater(): void {
    this.#timer ??= setInterval(() => this.#catchUp(), retry_ms).unref();
  }

  #catchUp(): void {
    for (const [viewer, position] of this.#lagging) {
      if (!this.#buffer || this.#isAhead(position) || bufferedBytes(viewer) > low_water_bytes) continue;
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
    if (this.#lagging.size > 0) {
      this.#retryLater();
      return;
    }
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** Whether a viewer has lines that are not here yet: it had them from a plane that ended. */
  #isAhead(position: ClientPosition | undefined): boolean {
    const buffer = this.#buffer;
    return position !== undefined && position.epoch === buffer?.epoch && position.next > buffer.next;
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

  /**
   * Adds a viewer. Gives the lines that it shows first, null when nothing is known. The caller sends them without waiting
   * for anything: live lines follow from the next turn of the event loop on.
   */
  async enter(viewer: Socket, position: ClientPosition | undefined): Promise<ConsoleUpdate | null> {
    this.viewers.add(viewer);
    if (!this.#buffer || this.#backfilling) await this.backfill(position);
    if (!this.viewers.has(viewer)) return null;
    const first = this.#since(position, 'newest');
    if (!this.#buffer) this.#lagging.set(viewer, position);
    else {
      const { epoch, next } = this.#buffer;
      this.#goLiveAfter(viewer, this.#isAhead(position) ? position! : { epoch, next });
    }
    return first;
  }

  #goLiveAfter(viewer: Socket, position: ClientPosition): void {
    this.#entering.set(viewer, position);
    setImmediate(() => {
      // it may have left, or entered again
      if (this.#entering.get(viewer) !== position) return;
      this.#entering.delete(viewer);
      this.#lagging.set(viewer, position);
      this.#catchUp();
    });
  }

  /** Removes a viewer. Gives whether others are left. */
  leave(viewer: Socket): boolean {
    viewer.leave(roomOf(this.server_id, 'console'));
    this.#lagging.delete(viewer);
    this.#entering.delete(viewer);
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
