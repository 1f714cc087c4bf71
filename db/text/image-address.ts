import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Db } from '../sql.ts';

/** Below `/data/`, where all pictures of users are; no project id holds an underscore. */
const imagePath = '/data/_image';

const sign = (url: string, key: string): string =>
  createHmac('sha256', key).update(url).digest('base64url').slice(0, 22);

/**
 * The address under which the proxy shows the picture at `url`. Signed with this installation's key, so that the proxy
 * fetches only what stands in somebody's text here and is no tool for strangers. Without a host: it outlives a move.
 */
export const imageAddress = (url: string, key: string): string =>
  `${imagePath}?url=${encodeURIComponent(url)}&s=${sign(url, key)}`;

/** Whether `signature` was made by `imageAddress` for exactly this `url`. */
export function isSigned(url: string, signature: string, key: string): boolean {
  const [expected, given] = [Buffer.from(sign(url, key)), Buffer.from(signature)];
  return expected.length === given.length && timingSafeEqual(expected, given);
}

/** The key of this installation, made by migration 0010. */
export async function imageKey(db: Db): Promise<string> {
  const [row] = await db<Array<{ key: string }>>`select key from secrets where name = 'image_proxy'`;
  return row!.key;
}
