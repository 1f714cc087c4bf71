import type {
  OperationInput,
  OperationKind,
  OperationOutput,
  operationShapes,
} from '#control/protocol/agent.ts';
import type { ServerController } from './controller.ts';

type Outcome<K extends OperationKind> =
  | { state: 'done'; result: OperationOutput<K> }
  | { state: 'failed' | 'interrupted'; result: Record<string, unknown> };

/** Everything an agent knows about one kind of operation. */
export interface OperationHandler<K extends OperationKind> {
  /** Shape of its arguments, from the protocol. */
  input: (typeof operationShapes)[K]['input'];
  /** It may run beside another operation of the same server. */
  bypasses_lock: boolean;
  /** Executes the operation `op_id`. An exception makes it `failed`, with its message as the error. */
  run(controller: ServerController, args: OperationInput<K>, op_id: string): Promise<Outcome<K>>;
  /** Result of an operation that was running when the agent ended. */
  onInterrupted(controller: ServerController, args: OperationInput<K>, op_id: string): Promise<Outcome<K>>;
  /** Called after each end, once the end is stored. */
  onEnd(controller: ServerController): void;
}
export type OperationHandlers = { [K in OperationKind]: OperationHandler<K> };
