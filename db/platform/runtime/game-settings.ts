import { kindIds } from './kind-ids.ts';
import { address, oneOf } from './setting-shapes.ts';

/** Settings about the game: its versions, who plays it, and what runs it. */
export const gameSettings = {
  GAME_VERSIONS_URL: address.optional(),
  PROFILE_SERVICE_URL: address.optional(),
  SERVER_KIND: oneOf(...kindIds).optional(),
};
