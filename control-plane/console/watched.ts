import type { Namespace, Socket } from 'socket.io';
import type { ConsoleLine } from '../agent-protocol.ts';
import type { ConsoleUpdate } from '../protocol.ts';
import { roomOf } from '../rooms.ts';
import { Ring } from './ring.ts';
import { few_waiting, most_waiting, waitingFor } from './slow.ts';

/** Lines as an agent sends them: those between `from` and the first are lost for good. */
export interface Batch {
  epoch: string;
  from: number;
  lines: ConsoleLine[];
}
/** What a viewer shows already: all lines of this epoch before `next`. */
export interface Shown {
  epoch: string;
  next: number;
}
/** What the agent has of a console: asked once when somebody begins to look, and again when lines are missing. */
export type Tail = () => Promise<{ epoch: string | null; lines: ConsoleLine[] } | null>;

/** What the agent is asked for at once. */
export const tail_lines = 1_000;
/** Live batches kept while the agent is asked; more than this and the oldest are asked for again. */
const most_pending = 200;
const again_ms = 100;

/**
 * One console that somebody looks at: the ring of its newest lines, who sees it live, and who is too slow for that and
 * gets what is left in the ring once there is room again. Source: hosting §5.4.
 */
export class Watched {
  readonly server_id: string;
  readonly viewers = new Set<Socket>();
  readonly #namespace: Namespace;
  readonly #tail: Tail;
  #ring: Ring | null = null;
  #filling: Promise<void> | null = null;
  #pending: Batch[] = [];
  /** Viewers that are too slow, or came before anything was known, with the first number each has not got. */
  readonly #behind = new Map<Socket, Shown | undefined>();
  #timer: NodeJS.Timeout | undefined;
  /** Sends that were held back because a viewer was slow. */
  held = 0;

  constructor(namespace: Namespace, server_id: string, tail: Tail) {
    this.#namespace = namespace;
    this.server_id = server_id;
    this.#tail = tail;
  }

  /** Asks the agent for what it has and puts it together with what came live meanwhile. */
  fill(): Promise<void> {
    this.#filling ??= this.#tail()
      .catch(() => null)
      .then((told) => {
        this.#filling = null;
        if (told?.epoch) this.#append(told.epoch, told.lines, true);
        for (const batch of this.#pending.splice(0)) this.#append(batch.epoch, batch.lines, true);
        this.#catchUp();
      });
    return this.#filling;
  }

  /** Lines that came live. Those missing before them that the agent does not call lost are asked for first. */
  take(batch: Batch): void {
    if (this.#filling) {
      this.#pending.push(batch);
      if (this.#pending.length > most_pending) this.#pending.shift();
      return;
    }
    const next = this.#ring?.epoch === batch.epoch ? this.#ring.next : 1;
    if (batch.from > next) {
      this.#pending.push(batch);
      void this.fill();
    } else {
      const first = this.#ring === null;
      this.#append(batch.epoch, batch.lines, false);
      if (first) this.#catchUp();
    }
  }

  #append(epoch: string, lines: ConsoleLine[], asked: boolean): void {
    if (this.#ring?.epoch !== epoch) {
      const first = this.#ring === null;
      this.#ring = new Ring(epoch);
      // where one begins to look is no gap
      if (asked && first && lines[0]) this.#ring.next = lines[0].seq;
    }
    const from = this.#ring.next;
    const fresh = this.#ring.append(lines);
    if (fresh.length > 0) this.#tell(updateOf(this.server_id, this.#ring.epoch, from, fresh));
  }

  #tell(update: ConsoleUpdate): void {
    this.#namespace.to(roomOf(this.server_id, 'console')).emit('console', update);
    for (const viewer of this.viewers) {
      if (this.#behind.has(viewer)) this.held += this.#timer ? 1 : 0;
      else if (waitingFor(viewer) > most_waiting) this.#holdBack(viewer);
    }
  }

  #holdBack(viewer: Socket): void {
    viewer.leave(roomOf(this.server_id, 'console'));
    this.#behind.set(viewer, { epoch: this.#ring!.epoch, next: this.#ring!.next });
    this.#timer ??= setInterval(() => this.#catchUp(), again_ms).unref();
  }

  #catchUp(): void {
    for (const [viewer, shown] of this.#behind) {
      if (!this.#ring || waitingFor(viewer) > few_waiting) continue;
      this.#behind.delete(viewer);
      const update = this.#since(shown);
      if (update && update.lines.length > 0) viewer.emit('console', update);
      viewer.join(roomOf(this.server_id, 'console'));
    }
    if (this.#behind.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** Everything the ring has that a viewer lacks who shows the lines before `next` of this epoch. */
  #since(shown: Shown | undefined): ConsoleUpdate | null {
    const ring = this.#ring;
    if (!ring) return null;
    // 0 is the console of a viewer who has seen this process and none of its lines
    if (shown?.epoch === ring.epoch && shown.next > 0)
      return updateOf(this.server_id, ring.epoch, shown.next, ring.since(shown.next));
    const lines = ring.all();
    return updateOf(this.server_id, ring.epoch, lines[0]?.seq ?? ring.next, lines);
  }

  /** A viewer sees it from now on; gives what it has to show first, null when nothing is known. */
  async enter(viewer: Socket, shown: Shown | undefined): Promise<ConsoleUpdate | null> {
    this.viewers.add(viewer);
    if (!this.#ring || this.#filling) await this.fill();
    if (!this.viewers.has(viewer)) return null;
    if (this.#ring) viewer.join(roomOf(this.server_id, 'console'));
    else this.#behind.set(viewer, shown);
    return this.#since(shown);
  }

  /** A viewer left; gives whether anybody is left. */
  leave(viewer: Socket): boolean {
    viewer.leave(roomOf(this.server_id, 'console'));
    this.#behind.delete(viewer);
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
