import { z } from 'zod';
import type { Operation, OperationAnswer } from '#control/agent-protocol.ts';
import { sendFolder } from './collect.ts';
import { look } from './containers.ts';
import type { KeptOperation, OperationState } from './journal/operations.ts';
import type { Keeper } from './keeper.ts';
import { kill } from './steps.ts';
import type { Workshop } from './workshop.ts';

type Outcome = { state: Exclude<OperationState, 'accepted' | 'expired'>; result: Record<string, unknown> };

/** A path of the plane's own: nothing that leads to another machine. */
const planePath = z.string().regex(/^\/\w[\w/]*(\?[\w=&.-]*)?$/);

/** How each operation is done, and what is told of one that was cut off when the agent ended. */
const kinds: Record<
  Operation['kind'],
  {
    passes: boolean;
    run(keeper: Keeper, operation: KeptOperation): Promise<Outcome>;
    cutOff(keeper: Keeper): Promise<Outcome>;
  }
> = {
  kill: {
    passes: true,
    run: async (keeper) => ({ state: 'done', result: { was_running: await kill(keeper) } }),
    cutOff: async (keeper) => {
      const seen = await look(keeper.shop.engine, keeper.shop.identity(), keeper.id);
      return { state: seen?.alive ? 'interrupted' : 'done', result: {} };
    },
  },
  collect: {
    passes: false,
    async run({ shop, id, kept }, { args }) {
      const path = planePath.parse(args.put);
      const bytes = await shop.disks.during(id, kept?.spec?.disk_mb ?? 0, (folder) =>
        sendFolder(folder, shop.url, path),
      );
      return { state: 'done', result: { bytes } };
    },
    cutOff: async () => ({ state: 'interrupted', result: {} }),
  },
};

/** Takes operations once each: written down before anything is done, told when ended. Source: hosting §5.3. */
export class Operations {
  readonly #shop: Workshop;
  readonly #keepers: ReadonlyMap<string, Keeper>;
  readonly #going = new Map<string, string>();
  /** Begun by the process before this one. */
  #cutOff: KeptOperation[];

  constructor(shop: Workshop, keepers: ReadonlyMap<string, Keeper>) {
    [this.#shop, this.#keepers] = [shop, keepers];
    this.#cutOff = shop.journal.operations.open();
  }

  take(operation: Operation, line: { lease: number; plane_now: number }): OperationAnswer {
    const { journal, now } = this.#shop;
    const known = journal.operations.find(operation.op_id);
    if (known) return { took: 'duplicate', state: known.state };
    if (operation.lease !== line.lease) return { took: 'stale' };
    if (Date.parse(operation.not_after) <= line.plane_now) return { took: 'expired' };
    const keeper = this.#keepers.get(operation.server_id);
    if (!keeper || keeper.kept?.gone) return { took: 'invalid' };
    const by = this.#going.get(operation.server_id);
    if (by && !kinds[operation.kind].passes) return { took: 'busy', by };
    journal.operations.accept(operation, now());
    void this.#run(keeper, { id: operation.op_id, ...operation, state: 'accepted' });
    return { took: 'accepted' };
  }

  /** Everything that was begun before this process started is ended, truthfully. Asks the engine. */
  async resolveCutOff(): Promise<void> {
    const operations = this.#cutOff;
    this.#cutOff = [];
    for (const operation of operations) {
      const keeper = this.#keepers.get(operation.server_id);
      const { state, result } = keeper
        ? await kinds[operation.kind].cutOff(keeper)
        : ({ state: 'interrupted', result: {} } as const);
      this.#end(operation, state, result);
    }
  }

  async #run(keeper: Keeper, operation: KeptOperation): Promise<void> {
    const { passes, run } = kinds[operation.kind];
    if (!passes) this.#going.set(keeper.id, operation.kind);
    try {
      const { state, result } = await run(keeper, operation);
      this.#end(operation, state, result);
    } catch (error) {
      this.#shop.log.warn({ server_id: keeper.id, op_id: operation.id, err: error }, 'An operation failed');
      this.#end(operation, 'failed', { error: (error as Error).message.slice(0, 500) });
    } finally {
      if (!passes) this.#going.delete(keeper.id);
    }
  }

  #end({ id, server_id }: KeptOperation, state: OperationState, result: Record<string, unknown>): void {
    const { journal, now } = this.#shop;
    journal.atOnce(() => {
      journal.operations.end(id, state, result, now());
      if (state !== 'accepted')
        journal.events.record('op.ended', server_id, { op_id: id, state, result }, now());
    });
    this.#shop.eventAdded();
  }
}
