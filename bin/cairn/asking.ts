import type { ControlClient } from './control-client.ts';

/** Wraps the work of a command: opens the control plane that its options name, and closes the connection. */
export type Asking<P = ControlClient> = <A extends unknown[]>(
  work: (plane: P, ...args: A) => Promise<void>,
) => (...args: A) => Promise<void>;
