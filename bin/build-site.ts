import { build } from './build.ts';
import { reportTask } from './task.ts';

/** Builds the site when its sources changed. A task of `npm start`. */
await reportTask((stop) => build(stop, console.log));
