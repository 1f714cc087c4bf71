import { UserError } from '../../user-error.ts';
import type { ControlClient } from '../control-client.ts';
import { percentOf } from './file-operation.ts';

/** Runs `work`; its refusal ends the command with `failure` in front. */
export async function failingAs<T>(failure: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    throw new UserError(`${failure}: ${error.message}`, error.exit_code);
  }
}

/** What a command does with something that a request began. `again` sends the same request again. */
export type Follow<A, V> = (answer: A, values: V, how: Following) => Promise<void>;
export interface Following {
  plane: ControlClient;
  /** What is said before the reason when something goes wrong. */
  failure: string;
  again: () => Promise<unknown>;
}
/** What was given to a command that may wait. */
export interface Waiting {
  server_id: string;
  json: boolean;
  wait: boolean;
}

/** Something that goes on on a server for a while, as the control plane shows it. */
interface Task {
  id: string;
  progress: { done: number; total: number | null } | null;
}
/** How tasks of a kind are followed. */
export interface TaskKind<T extends Task> {
  /** Calls `told` with those of a server whenever one of them changes. */
  onChange(socket: ControlClient['socket'], told: (server_id: string, all: readonly T[]) => void): void;
  /** Those there are now. */
  read(request: ControlClient['request'], server_id: string): Promise<readonly T[]>;
  stepOf(task: T): string;
  isOpen(task: T): boolean;
  /** Why nobody waits for one that is not there; without this it comes later. */
  gone?: string;
}

/**
 * Waits until a task has ended and gives it; every step, and how far it is, is written to standard error. After a lost
 * connection it goes on waiting. Ends the command when the access to the server is gone.
 */
export async function waitForTask<T extends Task>(
  { request, socket }: Pick<ControlClient, 'request' | 'socket'>,
  kind: TaskKind<T>,
  { server_id, id }: { server_id: string; id: string },
): Promise<T> {
  let said = '';
  return await new Promise<T>((done, fail) => {
    const look = (all: readonly T[]) => {
      const task = all.find((one) => one.id === id);
      if (!task) {
        if (kind.gone !== undefined) fail(new UserError(kind.gone));
        return;
      }
      if (!kind.isOpen(task)) return done(task);
      const text = progressText(kind.stepOf(task), task);
      if (text !== said) console.error(text);
      said = text;
    };
    kind.onChange(socket, (of, all) => {
      if (of === server_id) look(all);
    });
    socket.on('access.revoked', ({ server_id: of, description }) => {
      if (of === server_id) fail(new UserError(description));
    });
    const join = async () => {
      await request('server.join', { server_id, rooms: ['tasks'] });
      look(await kind.read(request, server_id));
    };
    const joinAgain = () => void join().catch(fail);
    socket.on('connect', joinAgain);
    joinAgain();
  });
}

/** What is in progress, and how far: "creating 40 %". */
const progressText = (step: string, { progress }: Task): string =>
  progress?.total ? `${step} ${percentOf(progress.done, progress.total)} %` : step;
