import { createHash } from 'node:crypto';

/** A player: the id that lists hold, and the name as its owner writes it. */
export interface Profile {
  uuid: string;
  name: string;
}

/**
 * The player of a name on a server that asks for no account: a UUID of version 3 of "OfflinePlayer:name", in which capital
 * letters count. The same as Java's `UUID.nameUUIDFromBytes`.
 */
export function offlineProfile(name: string): Profile {
  const hash = createHash('md5').update(`OfflinePlayer:${name}`).digest();
  hash[6] = (hash[6]! & 0x0f) | 0x30;
  hash[8] = (hash[8]! & 0x3f) | 0x80;
  return { uuid: dashed(hash.toString('hex')), name };
}

/** A UUID of 32 digits with its dashes. */
export const dashed = (hex: string): string =>
  hex.toLowerCase().replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
