import {
  type OperationInput,
  type OperationKind,
  type OperationOutput,
  operationShapes,
} from '#control/protocol/agent.ts';
import { inspectServer } from '../docker/containers.ts';
import { uploadArchive } from './archive.ts';
import type { ServerController } from './controller.ts';
import { kill } from './kill.ts';

type Outcome<K extends OperationKind> =
  | { state: 'done'; result: OperationOutput<K> }
  | { state: 'failed' | 'interrupted'; result: Record<string, unknown> };

/** Everything an agent knows about one kind of operation. */
export interface OperationHandler<K extends OperationKind> {
  /** Shape of its arguments, from the protocol. */
  input: (typeof operationShapes)[K]['input'];
  /** It may run beside another operation of the same server. */
  bypasses_lock: boolean;
  /** Executes it. An exception makes the operation `failed`, with its message as the error. */
  run(controller: ServerController, args: OperationInput<K>): Promise<Outcome<K>>;
  /** Result of an operation that was running when the agent ended. */
  onInterrupted(controller: ServerController): Promise<Outcome<K>>;
  /** Called after each end, once the end is stored. */
  onEnd(controller: ServerController): void;
}
export type OperationHandlers = { [K in OperationKind]: OperationHandler<K> };

/** Bytes the files of a server may claim: maps and databases have some holes, an attack has many. */
const maxArchiveBytes = (disk_mb: number): number => (4 * disk_mb + 1024) * 1024 * 1024;

/** One entry for each kind in the protocol: a kind without an entry does not compile. */
export const operationHandlers: OperationHandlers = {
  kill: {
    input: operationShapes.kill.input,
    bypasses_lock: true,
    run: async (controller) => ({ state: 'done', result: { was_running: await kill(controller) } }),
    onInterrupted: async (controller) => {
      const observed = await inspectServer(
        controller.context.docker,
        controller.context.identity(),
        controller.id,
      );
      return { state: observed?.alive ? 'interrupted' : 'done', result: {} };
    },
    onEnd: (controller) => controller.reconcile(),
  },
  archive: {
    input: operationShapes.archive.input,
    bypasses_lock: false,
    async run({ context, id, stored }, { put }) {
      const disk_mb = stored?.spec?.disk_mb ?? 0;
      const bytes = await context.disks.withFolder(id, disk_mb, (folder) =>
        uploadArchive(folder, context.url(), put, maxArchiveBytes(disk_mb)),
      );
      return { state: 'done', result: { bytes } };
    },
    onInterrupted: async () => ({ state: 'interrupted', result: {} }),
    onEnd: () => {},
  },
};
