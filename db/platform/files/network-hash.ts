import { createHash } from 'node:crypto';
import { randomText } from '../id.ts';
import type { Db } from '../postgres/sql.ts';

/**
 * Makes the function that turns a network into a text that names it only within this installation: for counters that
 * must know a network again and reveal no address. `purpose` keeps the counters of different things apart.
 */
export async function networkHasher(tx: Db, purpose = ''): Promise<(network: string) => string> {
  const salt = await saltOf(tx);
  return (network) =>
    createHash('sha256').update(`${salt}${purpose} ${network}`).digest('base64url').slice(0, 22);
}

/** A generated secret of this installation that prevents guessing the stored addresses from their hashes. */
async function saltOf(tx: Db): Promise<string> {
  const find = async () =>
    (await tx<Array<{ value: string }>>`select value from installation where key = 'download_salt'`)[0]
      ?.value;
  const known = await find();
  if (known) return known;
  await tx`insert into installation (key, value) values ('download_salt', ${tx.json(randomText(32))}) on conflict do nothing`;
  return (await find())!;
}
