import type { Operation, OperationAnswer, OperationKind } from '#control/protocol/agent.ts';
import type { AgentContext } from '../context.ts';
import { operationHandlers } from '../operations/operation-handlers.ts';
import type { ServerController } from '../server/controller.ts';
import type { OperationHandler, OperationHandlers } from '../server/operation-handler.ts';
import type { OperationState, StoredOperation } from '../state/operations.ts';

/**
 * Runs each operation at most once: it is stored before anything is done, and its end is an event. Source: hosting
 * §5.3.
 */
export class Operations {
  readonly #context: AgentContext;
  readonly #controllers: ReadonlyMap<string, ServerController>;
  readonly #handlers: OperationHandlers;
  /** The operation that holds the lock of its server, by server. */
  readonly #running = new Map<string, string>();
  /** Started by the previous process. */
  #interrupted: StoredOperation[];

  constructor(
    context: AgentContext,
    controllers: ReadonlyMap<string, ServerController>,
    handlers = operationHandlers,
  ) {
    [this.#context, this.#controllers, this.#handlers] = [context, controllers, handlers];
    this.#interrupted = context.store.operations.unfinished();
  }

  /** Starts an operation unless it is known, too late or invalid; the answer says which. */
  accept(operation: Operation, session: { lease: number; plane_now: number }): OperationAnswer {
    const { store, now } = this.#context;
    const known = store.operations.find(operation.op_id);
    if (known) return { status: 'duplicate', state: known.state };
    if (operation.lease !== session.lease) return { status: 'stale' };
    if (Date.parse(operation.not_after) <= session.plane_now) return { status: 'expired' };
    const handler = this.#handlerOf(operation.kind);
    if (!handler) return { status: 'unknown_kind' };
    const controller = this.#controllers.get(operation.server_id);
    if (!controller || controller.stored?.deleted || !handler.input.safeParse(operation.args).success)
      return { status: 'invalid' };
    const by = this.#running.get(operation.server_id);
    if (by && !handler.bypasses_lock) return { status: 'busy', by };
    store.operations.accept(operation, now());
    void this.#run(handler, controller, { id: operation.op_id, ...operation, state: 'accepted' });
    return { status: 'accepted' };
  }

  /** Stores the end of all operations that were running when the previous process ended. Asks Docker. */
  async resolveInterrupted(): Promise<void> {
    const operations = this.#interrupted;
    this.#interrupted = [];
    for (const operation of operations) {
      const controller = this.#controllers.get(operation.server_id);
      const handler = this.#handlerOf(operation.kind);
      if (!controller || !handler) {
        this.#end(operation, 'interrupted', {});
        continue;
      }
      const { state, result } = await handler.onInterrupted(
        controller,
        handler.input.parse(operation.args) as never,
        operation.id,
      );
      this.#end(operation, state, result);
      handler.onEnd(controller);
    }
  }

  #handlerOf(kind: string): OperationHandler<OperationKind> | null {
    if (!Object.hasOwn(this.#handlers, kind)) return null;
    return this.#handlers[kind as OperationKind] as OperationHandler<OperationKind>;
  }

  async #run(
    handler: OperationHandler<OperationKind>,
    controller: ServerController,
    operation: StoredOperation,
  ): Promise<void> {
    const { bypasses_lock, input } = handler;
    if (!bypasses_lock) this.#running.set(controller.id, operation.kind);
    controller.operations += 1;
    try {
      const { state, result } = await handler.run(
        controller,
        input.parse(operation.args) as never,
        operation.id,
      );
      this.#end(operation, state, result);
    } catch (error) {
      this.#context.log.warn(
        { server_id: controller.id, op_id: operation.id, err: error },
        'An operation failed',
      );
      this.#end(operation, 'failed', { error: (error as Error).message.slice(0, 500) });
    } finally {
      if (!bypasses_lock) this.#running.delete(controller.id);
      controller.operations -= 1;
      handler.onEnd(controller);
    }
  }

  #end({ id, server_id }: StoredOperation, state: OperationState, result: Record<string, unknown>): void {
    const { store, now } = this.#context;
    store.transaction(() => {
      store.operations.end(id, state, result, now());
      if (state !== 'accepted')
        store.events.record('operation.ended', server_id, { op_id: id, state, result }, now());
    });
    this.#context.onEventRecorded();
  }
}
