import type { Started } from './timed-pool.ts';

export interface AsideTask {
  /** The address of the module, and the name of its function. */
  module: string;
  name: string;
  input: unknown;
}

/** Does one job in a thread of its own; the result is wrapped, because null stands for work that was stopped. */
export default async function work(task: AsideTask & Started): Promise<{ result: unknown }> {
  const functions = (await import(task.module)) as Record<string, (input: unknown) => unknown>;
  task.started.postMessage(null);
  task.started.close();
  return { result: await functions[task.name]!(task.input) };
}
