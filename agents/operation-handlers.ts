import type { z } from 'zod';
import { type OperationKind, operationInputs } from '#control/protocol/agent.ts';
import { sendFolder } from './collect.ts';
import { look } from './containers.ts';
import type { OperationState } from './journal/operations.ts';
import type { Keeper } from './keeper.ts';
import { kill } from './steps.ts';

export type Outcome = {
  state: Exclude<OperationState, 'accepted' | 'expired'>;
  result: Record<string, unknown>;
};

/** Everything an agent knows about one kind of operation. */
export interface OperationHandler<K extends OperationKind> {
  /** Shape of its arguments, from the protocol. */
  input: (typeof operationInputs)[K];
  /** It may run while another operation of the same server runs. */
  bypasses_lock: boolean;
  /** Does it. What it throws makes the operation `failed`, with the message as its error. */
  run(keeper: Keeper, args: z.output<(typeof operationInputs)[K]>): Promise<Outcome>;
  /** How one ended that was running when the agent ended. */
  onInterrupted(keeper: Keeper): Promise<Outcome>;
  /** Called after each end, once it was recorded. */
  onEnd(keeper: Keeper): void;
}
export type OperationHandlers = { [K in OperationKind]: OperationHandler<K> };

/** Bytes the files of a server may say they have: maps and databases have some holes, an attack has many. */
const maxArchiveBytes = (disk_mb: number): number => (4 * disk_mb + 1024) * 1024 * 1024;

/** One entry for each kind in the protocol: a kind without an entry does not compile. */
export const operationHandlers: OperationHandlers = {
  kill: {
    input: operationInputs.kill,
    bypasses_lock: true,
    run: async (keeper) => ({ state: 'done', result: { was_running: await kill(keeper) } }),
    onInterrupted: async (keeper) => {
      const seen = await look(keeper.shop.engine, keeper.shop.identity(), keeper.id);
      return { state: seen?.alive ? 'interrupted' : 'done', result: {} };
    },
    onEnd: (keeper) => keeper.kick(),
  },
  archive: {
    input: operationInputs.archive,
    bypasses_lock: false,
    async run({ shop, id, kept }, { put }) {
      const disk_mb = kept?.spec?.disk_mb ?? 0;
      const bytes = await shop.disks.during(id, disk_mb, (folder) =>
        sendFolder(folder, shop.url, put, maxArchiveBytes(disk_mb)),
      );
      return { state: 'done', result: { bytes } };
    },
    onInterrupted: async () => ({ state: 'interrupted', result: {} }),
    onEnd: () => {},
  },
};
