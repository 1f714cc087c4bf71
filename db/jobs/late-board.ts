import type { Logger } from 'pino';
import { databaseAddress, type Settings } from '../env.ts';
import { Refused } from '../errors.ts';
import { type Board, openBoard } from './board.ts';

/** A board that is opened when somebody first has something to put up: most processes never do. */
export interface LateBoard {
  /** Refuses `busy` while there is none yet: the control plane makes it at its first start. */
  board(): Promise<Pick<Board, 'send'>>;
  close(): Promise<void>;
}

export function lateBoard(settings: Settings, log: Logger): LateBoard {
  let opening: Promise<Board> | null = null;
  return {
    async board() {
      opening ??= openBoard(databaseAddress(settings)!, log);
      const current = opening;
      try {
        return await current;
      } catch (err) {
        if (opening === current) opening = null; // the next who asks tries again
        log.warn({ err }, 'The job board could not be opened');
        throw new Refused('busy');
      }
    },
    async close() {
      await (await opening?.catch(() => null))?.close(2_000);
    },
  };
}
