import { type Duplex, Readable } from 'node:stream';
import type { ConsoleLine } from '#control/protocol/console.ts';
import type { DockerConnection } from '../docker/client.ts';
import type { StateStore } from '../state/store.ts';
import { FrameSplitter, type StreamName } from './frames.ts';
import { LineBuffer } from './line-buffer.ts';
import { LineSplitter } from './lines.ts';
import { LogReplay } from './replay.ts';

export interface ConsoleOptions {
  store: StateStore['consoles'];
  now(): number;
  /** A line of the process arrived, perhaps one from before this agent started. */
  onLine(text: string): void;
  /** The buffer has new lines. */
  onLines(): void;
  /** The stream closed. The process may still run: inspect it. */
  onClosed(): void;
}

/** Identifies a run of a server's process: its container, which is started once only, and its start time. */
export const epochOf = (container_id: string, started_at: number): string =>
  `${container_id.slice(0, 12)}-${started_at}`;

const save_interval_ms = 1_000;
/**
 * How long the line of a command waits for the first line of its answer: sent together, they are half the messages in
 * every process on the way, at the moment at which the answer comes.
 */
const answer_window_ms = 5;
/** How long a command waits for older lines to be read; the control plane waits a little longer. */
const replay_timeout_ms = 4_000;

/** A command that we ask too (for its commands, for the time of its ticks): users who ask see the answer. */
const asks_too = /^\/?(?:[\w-]+:)?(?:help|\?|tick)(?:\s|$)/i;

/** The console of one server: always reads, buffers the newest lines, writes each command at most once. */
export class Console {
  readonly buffer = new LineBuffer();
  readonly #server_id: string;
  readonly #options: ConsoleOptions;
  #epoch: string | null = null;
  #first = '';
  #saved_position = { seq: 0, at: 0 };
  #stdin: Duplex | null = null;
  #reading: { container_id: string; done: Promise<void>; stop(): void } | null = null;
  #replay: LogReplay | null = null;
  /** Our own line about a start, until the process has an epoch. */
  #opening: ConsoleLine | null = null;
  #take: ((text: string) => boolean) | null = null;

  constructor(server_id: string, options: ConsoleOptions) {
    this.#server_id = server_id;
    this.#options = options;
  }

  /** null until the process of the container was started. */
  get epoch(): string | null {
    return this.#epoch;
  }

  isReading(container_id: string): boolean {
    return this.#reading?.container_id === container_id;
  }

  /**
   * Attaches to a container that is about to start: no line is missed. `opening` is a line about why it starts.
   * `started` must follow.
   */
  async begin(
    { streams }: DockerConnection,
    container_id: string,
    opening: string | null = null,
  ): Promise<void> {
    this.stop();
    this.buffer.reset();
    [this.#epoch, this.#first, this.#replay, this.#opening] = [null, '', null, null];
    const stream = (await streams
      .getContainer(container_id)
      .attach({ stream: true, stdin: true, stdout: true, stderr: true, hijack: true })) as Duplex;
    this.#stdin = stream;
    if (opening) this.#opening = this.buffer.add({ at: this.#options.now(), stream: 'cairn', text: opening });
    this.#read(container_id, stream, (source, bytes, split) => split[source].write(bytes));
  }

  started(epoch: string): void {
    this.#epoch = epoch;
    if (this.#opening) this.#store(epoch, this.#opening);
    this.#options.onLines();
  }

  /**
   * Reads the log of a running container from its first line: lines in the buffer are skipped, numbers are those of
   * an earlier agent. With `follow` false it reads the log of an ended one.
   */
  async resume(
    { streams }: DockerConnection,
    container_id: string,
    epoch: string,
    follow = true,
  ): Promise<void> {
    this.stop();
    const container = streams.getContainer(container_id);
    if (this.#epoch !== epoch) {
      this.buffer.reset();
      [this.#epoch, this.#first] = [epoch, ''];
    }
    const log_options = { stdout: true, stderr: true, timestamps: true } as const;
    const newest = follow ? await container.logs({ ...log_options, tail: 1, follow: false }) : null;
    const replay = new LogReplay(this.buffer, {
      position: this.#options.store.readPosition(this.#server_id, epoch),
      added: this.#options.store.addedLines(this.#server_id, epoch),
      hidden: this.#options.store.hiddenLines(this.#server_id, epoch),
      newest: newest ? newestOf(newest) : null,
    });
    this.#replay = replay;
    const stream = (follow
      ? await container.logs({ ...log_options, follow: true })
      : Readable.from([await container.logs({ ...log_options, follow: false })])) as unknown as Duplex;
    if (follow) this.#stdin = (await container.attach({ stream: true, stdin: true, hijack: true })) as Duplex;
    this.#stdin?.on('error', () => {});
    this.#read(container_id, stream, (source, bytes, split) => {
      const space = bytes.indexOf(0x20);
      replay.at(bytes.toString('latin1', 0, space));
      split[source].write(bytes.subarray(space + 1));
    });
    if (!follow) await this.#reading?.done;
  }

  #read(
    container_id: string,
    stream: Duplex,
    take: (source: StreamName, bytes: Buffer, split: Record<StreamName, LineSplitter>) => void,
  ): void {
    const split = {
      out: new LineSplitter((text) => this.#line('out', text)),
      err: new LineSplitter((text) => this.#line('err', text)),
    };
    const frames = new FrameSplitter((source, bytes) => take(source, bytes, split));
    const { promise: done, resolve } = Promise.withResolvers<void>();
    let over = false;
    const end = () => {
      if (over) return;
      over = true;
      split.out.end();
      split.err.end();
      if (this.#reading === reading) {
        [this.#reading, this.#stdin] = [null, null];
        this.mark();
        this.#options.onClosed();
      }
      resolve();
    };
    const reading = {
      container_id,
      done,
      stop: () => {
        over = true;
        resolve();
        stream.destroy();
      },
    };
    this.#reading = reading;
    stream.on('data', (chunk: Buffer) => over || frames.write(chunk));
    stream.on('end', end).on('close', end).on('error', end);
  }

  #line(stream: StreamName, text: string): void {
    if (this.#take?.(text) && this.#epoch) {
      this.#options.store.hideLine(this.#server_id, this.#epoch, this.buffer.next);
      return;
    }
    const at = this.#replay?.now ?? this.#options.now();
    if (!this.#first) this.#first = text;
    if (this.#replay) this.#replay.line({ at, stream, text });
    else this.buffer.add({ at, stream, text });
    if (at - this.#saved_position.at > save_interval_ms) this.mark();
    this.#options.onLine(text);
    this.#options.onLines();
  }

  /** Stores the read position when it changed. */
  mark(): void {
    const seq = this.buffer.next - 1;
    if (!this.#epoch || seq === this.#saved_position.seq) return;
    this.#saved_position = { seq, at: this.#options.now() };
    this.#options.store.saveReadPosition(this.#server_id, {
      epoch: this.#epoch,
      first: this.#first,
      ...this.#saved_position,
    });
  }

  /** Writes a user's command and shows it, at most once. Gives false when nothing is attached. */
  async write(text: string): Promise<boolean> {
    if (!(await this.#isCurrent()) || !this.#stdin?.writable || !this.#epoch) return false;
    if (asks_too.test(text)) this.#take = null;
    const line = this.#add('in', text);
    // written first: no output of this process is handled before the command is stored
    const written = this.#put(text);
    this.#store(this.#epoch, line);
    setTimeout(() => this.#options.onLines(), answer_window_ms).unref();
    return await written;
  }

  /** Writes a command of our own, which the console does not show. Gives false when nothing is attached. */
  async writeUnseen(text: string): Promise<boolean> {
    return (await this.#isCurrent()) && this.#stdin?.writable && this.#epoch ? await this.#put(text) : false;
  }

  /** Shows a line about what we did ourselves (`ownText`), unless the process is not known yet. */
  async note(text: string): Promise<void> {
    const epoch = this.#epoch;
    if (!epoch || !(await this.#isCurrent()) || this.#epoch !== epoch) return;
    this.#store(epoch, this.#add('cairn', text));
    this.#options.onLines();
  }

  /**
   * From now on lines of the process for which `take` gives true are left out, until null is given, a user asks
   * the same, or another process begins.
   */
  leaveOut(take: ((text: string) => boolean) | null): void {
    this.#take = take;
  }

  /** Whether an answer of the process is waited for and left out. */
  get isAsked(): boolean {
    return this.#take !== null;
  }

  /** Shows lines again that `take` left out, unless something else is left out by now. */
  /** Whether lines are left out now. */
  get isLeavingOut(): boolean {
    return this.#take !== null;
  }

  /** Ends `leaveOut` with this function, unless another one replaced it. */
  endLeavingOut(take: (text: string) => boolean): void {
    if (this.#take === take) this.#take = null;
  }

  /** Every line from before was read: numbered earlier, a line of ours would take the number of one of those. */
  async #isCurrent(): Promise<boolean> {
    return !this.#replay || (await this.#replay.caughtUp(replay_timeout_ms));
  }

  #add(stream: 'in' | 'cairn', text: string): ConsoleLine {
    const line = this.buffer.add({ at: this.#options.now(), stream, text });
    this.#replay?.addedNow();
    return line;
  }

  #store(epoch: string, { seq, at, stream, text }: ConsoleLine): void {
    if (stream === 'in' || stream === 'cairn')
      this.#options.store.saveAddedLine(this.#server_id, epoch, { seq, at, stream, text });
  }

  #put(text: string): Promise<boolean> {
    const stdin = this.#stdin;
    return new Promise((done) => (stdin ? stdin.write(`${text}\n`, (error) => done(!error)) : done(false)));
  }

  /** Waits until all output of the process was read, at most `timeout_ms`. */
  async drained(timeout_ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, timeout_ms);
    await Promise.race([this.#reading?.done ?? Promise.resolve(), promise]);
    clearTimeout(timer);
  }

  /** The last lines of the process, oldest first, without commands and without lines of ours. */
  last(count: number): string[] {
    return this.buffer
      .before(null, count * 2)
      .filter(({ stream }: ConsoleLine) => stream === 'out' || stream === 'err')
      .slice(-count)
      .map(({ text }) => text);
  }

  /** Detaches from the container, which keeps running. */
  stop(): void {
    const [reading, stdin] = [this.#reading, this.#stdin];
    [this.#reading, this.#stdin, this.#take] = [null, null, null];
    reading?.stop();
    stdin?.destroy();
  }
}

/** Time of the newest line in a log, or null when it has no lines. */
function newestOf(log: Buffer): string | null {
  let newest: string | null = null;
  const frames = new FrameSplitter((_, bytes) => {
    newest = bytes.toString('latin1', 0, bytes.indexOf(0x20));
  });
  frames.write(log);
  return newest;
}
