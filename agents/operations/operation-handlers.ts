import { operationShapes } from '#control/protocol/agent.ts';
import { inspectServer } from '../docker/containers.ts';
import { kill } from '../server/kill.ts';
import type { OperationHandlers } from '../server/operation-handler.ts';
import { backupHandlers } from './backup-handlers.ts';
import { contentHandlers } from './content-handlers.ts';
import { fileHandlers } from './file-handlers.ts';

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
  ...fileHandlers,
  ...backupHandlers,
  ...contentHandlers,
};
