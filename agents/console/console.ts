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
/** How long a command waits for older lines to be read; the control plane waits a little longer. */
const replay_timeout_ms = 4_000;

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

  /** Attaches to a container that is about to start: no line is missed. `started` must follow. */
  async begin({ streams }: DockerConnection, container_id: string): Promise<void> {
    this.stop();
    this.buffer.reset();
    [this.#epoch, this.#first, this.#replay] = [null, '', null];
    const stream = (await streams
      .getContainer(container_id)
      .attach({ stream: true, stdin: true, stdout: true, stderr: true, hijack: true })) as Duplex;
    this.#stdin = stream;
    this.#read(container_id, stream, (source, bytes, split) => split[source].write(bytes));
  }

  started(epoch: string): void {
    this.#epoch = epoch;
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
      typed: this.#options.store.typedCommands(this.#server_id, epoch),
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

  /** Writes one line, at most once. Gives false when nothing is attached. */
  async write(text: string): Promise<boolean> {
    // numbered now, it would take the number of a line that is still to be read
    if (this.#replay && !(await this.#replay.caughtUp(replay_timeout_ms))) return false;
    const stdin = this.#stdin;
    const epoch = this.#epoch;
    if (!stdin?.writable || !epoch) return false;
    const { seq, at } = this.buffer.add({ at: this.#options.now(), stream: 'in', text });
    this.#replay?.typedNow();
    // written first: no output of this process is handled before the command is stored
    const written = new Promise<boolean>((done) => stdin.write(`${text}\n`, (error) => done(!error)));
    this.#options.store.saveTypedCommand(this.#server_id, epoch, { seq, at, text });
    this.#options.onLines();
    return await written;
  }

  /** Waits until all output of the process was read, at most `timeout_ms`. */
  async drained(timeout_ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, timeout_ms);
    await Promise.race([this.#reading?.done ?? Promise.resolve(), promise]);
    clearTimeout(timer);
  }

  /** The last lines of the process, oldest first. */
  last(count: number): string[] {
    return this.buffer
      .before(null, count * 2)
      .filter(({ stream }: ConsoleLine) => stream !== 'in')
      .slice(-count)
      .map(({ text }) => text);
  }

  /** Detaches from the container, which keeps running. */
  stop(): void {
    const [reading, stdin] = [this.#reading, this.#stdin];
    [this.#reading, this.#stdin] = [null, null];
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
