import type { Operation, OperationAnswer, OperationKind } from '#control/protocol/agent.ts';
import type { KeptOperation, OperationState } from './journal/operations.ts';
import type { Keeper } from './keeper.ts';
import { type OperationHandler, type OperationHandlers, operationHandlers } from './operation-handlers.ts';
import type { Workshop } from './workshop.ts';

/** Runs each operation at most once: it is recorded before anything is done, and its end is an event. Source: hosting §5.3. */
export class Operations {
  readonly #shop: Workshop;
  readonly #keepers: ReadonlyMap<string, Keeper>;
  readonly #handlers: OperationHandlers;
  /** The operation that has the lock of its server, by server. */
  readonly #running = new Map<string, string>();
  /** Started by the process before this one. */
  #interrupted: KeptOperation[];

  constructor(shop: Workshop, keepers: ReadonlyMap<string, Keeper>, handlers = operationHandlers) {
    [this.#shop, this.#keepers, this.#handlers] = [shop, keepers, handlers];
    this.#interrupted = shop.journal.operations.open();
  }

  /** Starts an operation unless it is known, too late or impossible; the answer says which. */
  accept(operation: Operation, line: { lease: number; plane_now: number }): OperationAnswer {
    const { journal, now } = this.#shop;
    const known = journal.operations.find(operation.op_id);
    if (known) return { status: 'duplicate', state: known.state };
    if (operation.lease !== line.lease) return { status: 'stale' };
    if (Date.parse(operation.not_after) <= line.plane_now) return { status: 'expired' };
    const handler = this.#handlerOf(operation.kind);
    if (!handler) return { status: 'unknown_kind' };
    const keeper = this.#keepers.get(operation.server_id);
    if (!keeper || keeper.kept?.gone || !handler.input.safeParse(operation.args).success)
      return { status: 'invalid' };
    const by = this.#running.get(operation.server_id);
    if (by && !handler.bypasses_lock) return { status: 'busy', by };
    journal.operations.accept(operation, now());
    void this.#run(handler, keeper, { id: operation.op_id, ...operation, state: 'accepted' });
    return { status: 'accepted' };
  }

  /** Records the end of everything that was running when the process before this one ended. Asks Docker. */
  async resolveInterrupted(): Promise<void> {
    const operations = this.#interrupted;
    this.#interrupted = [];
    for (const operation of operations) {
      const keeper = this.#keepers.get(operation.server_id);
      const handler = this.#handlerOf(operation.kind);
      if (!keeper || !handler) {
        this.#end(operation, 'interrupted', {});
        continue;
      }
      const { state, result } = await handler.onInterrupted(keeper);
      this.#end(operation, state, result);
      handler.onEnd(keeper);
    }
  }

  #handlerOf(kind: string): OperationHandler<OperationKind> | null {
    if (!Object.hasOwn(this.#handlers, kind)) return null;
    return this.#handlers[kind as OperationKind] as OperationHandler<OperationKind>;
  }

  async #run(
    handler: OperationHandler<OperationKind>,
    keeper: Keeper,
    operation: KeptOperation,
  ): Promise<void> {
    const { bypasses_lock, input } = handler;
    if (!bypasses_lock) this.#running.set(keeper.id, operation.kind);
    try {
      const { state, result } = await handler.run(keeper, input.parse(operation.args) as never);
      this.#end(operation, state, result);
    } catch (error) {
      this.#shop.log.warn({ server_id: keeper.id, op_id: operation.id, err: error }, 'An operation failed');
      this.#end(operation, 'failed', { error: (error as Error).message.slice(0, 500) });
    } finally {
      if (!bypasses_lock) this.#running.delete(keeper.id);
      handler.onEnd(keeper);
    }
  }

  #end({ id, server_id }: KeptOperation, state: OperationState, result: Record<string, unknown>): void {
    const { journal, now } = this.#shop;
    journal.atOnce(() => {
      journal.operations.end(id, state, result, now());
      if (state !== 'accepted')
        journal.events.record('operation.ended', server_id, { op_id: id, state, result }, now());
    });
    this.#shop.eventAdded();
  }
}
