import { Refused } from '#db/platform/errors.ts';

/** The item; refuses `not_found` when there is none. */
export const orNotFound = <T>(item: T | null | undefined): T => {
  if (item === null || item === undefined) throw new Refused('not_found');
  return item;
};
