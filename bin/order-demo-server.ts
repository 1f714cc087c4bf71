import { parseSettings } from '#db/platform/runtime/env.ts';
import { makeDemoServer } from './demo-server.ts';
import { reportTask } from './task.ts';
import { UserError } from './user-error.ts';

/** Orders the demo game server from the running product. A task of `npm start`. */
await reportTask(() =>
  makeDemoServer(parseSettings(process.env)).catch((error: Error) => {
    throw new UserError(error.message);
  }),
);
