import { setPriority } from 'node:os';
import { openContext } from '#db/context.ts';
import { drawLaterPictures } from '#db/demo/later-pictures.ts';
import { parseSettings } from '#db/platform/runtime/env.ts';
import { reportTask } from './task.ts';

/** Draws the galleries of the demo that a start did not wait for, behind everything else. A task of `npm start`. */
await reportTask(async (stop) => {
  setPriority(19);
  const record = openContext(parseSettings(process.env), 'start', { connections: 2 });
  try {
    await drawLaterPictures(record, stop);
  } finally {
    await record.close();
  }
});
