import Docker from 'dockerode';
import type { Logger } from 'pino';
import { Backoff } from '#db/platform/runtime/backoff.ts';

/** The connection to the Docker engine of this node: its availability, and events of our containers. */

/** Labels of our containers. A container without the first two of this node is never touched. */
export const labels = {
  installation: 'cairn.installation',
  node: 'cairn.node',
  server: 'cairn.server',
  generation: 'cairn.generation',
  spec: 'cairn.spec',
  lease: 'cairn.lease',
} as const;

/** Docker did not answer: the state of containers is unknown. */
export class DockerUnavailable extends Error {}

const unavailable_codes = [
  'ECONNREFUSED',
  'ENOENT',
  'ECONNRESET',
  'EPIPE',
  'EACCES',
  'ETIMEDOUT',
  'ECONNABORTED',
];
/** Whether `error` means that Docker is unavailable rather than that it refused a request. */
export const isUnavailable = (error: unknown): boolean =>
  error instanceof DockerUnavailable ||
  unavailable_codes.includes((error as { code?: string }).code ?? '') ||
  /socket hang up|timed? ?out/i.test((error as Error).message ?? '');

/** HTTP status of Docker's refusal, or null. */
export const statusOf = (error: unknown): number | null =>
  (error as { statusCode?: number }).statusCode ?? null;

export interface DockerEvent {
  server_id: string;
  container_id: string;
  action: string;
}
export interface DockerConnection {
  api: Docker;
  /** For responses that stream or take long. */
  streams: Docker;
  up(): boolean;
  /** Whether Docker was down, or had just come back, at that time (milliseconds since 1970). */
  wasDownAt(moment: number): boolean;
  version(): string | null;
  /** A request was not answered: reconnects until Docker answers. */
  recheck(): void;
  /** The labels of our containers are known now: subscribes to their events. */
  resubscribe(): void;
  close(): void;
}

const retry_bounds = { min_ms: 250, max_ms: 10_000 };
/** Containers that end within this time before Docker goes down, or after it is back, were stopped by it. */
const down_before_ms = 5_000;
const down_after_ms = 15_000;

/**
 * Connects to Docker at DOCKER_HOST or its default socket. `up` is called after each (re)connect, when everything
 * must be inspected because Docker keeps no events over a restart; `event` for each event of a container with our
 * labels.
 */
export function connectDocker(
  { log, filter }: { log: Logger; filter: () => string[] | null },
  on: { up(): void; down(): void; event(event: DockerEvent): void },
): DockerConnection {
  const docker = new Docker({ timeout: 60_000 });
  const streams = new Docker();
  const pauses = new Backoff(retry_bounds);
  let [up, closed] = [false, false];
  // start and end of the last downtime
  let away: [number, number] | null = null;
  let version: string | null = null;
  let timer: NodeJS.Timeout | undefined;
  let events: NodeJS.ReadableStream | null = null;
  const later = () => {
    clearTimeout(timer);
    if (!closed) timer = setTimeout(() => void connect(), pauses.next());
  };
  const onLost = (why: unknown) => {
    events = null;
    if (closed) return;
    const now = Date.now();
    if (up || !away) log.warn({ err: why }, 'Docker is unavailable');
    if (up) on.down();
    away = [up || !away ? now : away[0], now];
    up = false;
    later();
  };
  const connect = async () => {
    try {
      version = ((await docker.version()) as { Version: string }).Version;
      const label = filter();
      const stream = label ? await streams.getEvents({ filters: { type: ['container'], label } }) : null;
      if (closed) return void (stream as (NodeJS.ReadableStream & { destroy(): void }) | null)?.destroy();
      events = stream;
      if (stream) {
        const end = (error?: unknown) => events === stream && onLost(error ?? 'its events ended');
        stream
          .on('error', end)
          .on('end', () => end())
          .on('close', () => end());
        readLines(stream, (line) => dispatch(line, on.event));
      }
      up = true;
      pauses.reset();
      on.up();
    } catch (error) {
      onLost(error);
    }
  };
  void connect();
  return {
    api: docker,
    streams,
    up: () => up,
    wasDownAt: (moment) =>
      away !== null && moment > away[0] - down_before_ms && moment < away[1] + down_after_ms,
    version: () => (up ? version : null),
    recheck() {
      const stream = events as (NodeJS.ReadableStream & { destroy(): void }) | null;
      events = null;
      stream?.destroy();
      if (up) onLost('a call was not answered');
    },
    resubscribe() {
      const stream = events as (NodeJS.ReadableStream & { destroy(): void }) | null;
      events = null;
      stream?.destroy();
      clearTimeout(timer);
      void connect();
    },
    close() {
      closed = true;
      clearTimeout(timer);
      (events as (NodeJS.ReadableStream & { destroy(): void }) | null)?.destroy();
    },
  };
}

function readLines(stream: NodeJS.ReadableStream, take: (line: string) => void): void {
  let rest = '';
  stream.setEncoding('utf8');
  stream.on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line) take(line);
  });
}

function dispatch(line: string, event: (event: DockerEvent) => void): void {
  const { Action, Actor } = JSON.parse(line) as {
    Action: string;
    Actor: { ID: string; Attributes: Record<string, string> };
  };
  const server_id = Actor.Attributes[labels.server];
  if (server_id) event({ server_id, container_id: Actor.ID, action: Action });
}
