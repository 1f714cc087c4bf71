import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import type { Role } from '#db/platform/people/rules.ts';
import { embeddedPostgresAddress } from '#db/platform/postgres/embedded-postgres.ts';
import { connect } from '#db/platform/postgres/sql.ts';
import { token, user } from '#db/testing/builders/build.ts';
import { removeLeftovers } from '../containers.ts';
import { root } from '../install.mjs';
import { endAll, freePort, type Product, privateFolder, removeFolder, start } from './product.ts';

export interface OwnProduct {
  /** Removed at the end, with every process that mentions it. */
  folder: string;
  env: Record<string, string>;
  /** The current run; a test that restarts the product replaces it. */
  product: Product;
  /** Address of the site. */
  site: string;
}

/**
 * `npm start` of this checkout for a whole test file, in a separate folder, without demo content. `first` may extend
 * its environment before the start.
 */
export function ownProduct(
  settings: Record<string, string>,
  first?: (env: Record<string, string>) => Promise<void>,
): OwnProduct {
  const folder = privateFolder();
  const env: Record<string, string> = {
    ...{ HOME: folder, DATA_DIR: join(folder, 'data'), SEED: 'none', LOG_LEVEL: 'error' },
    ...settings,
  };
  const own = { folder, env, site: '' } as unknown as OwnProduct;
  beforeAll(async () => {
    env.PORT = String(await freePort());
    own.site = `http://127.0.0.1:${env.PORT}`;
    env.SITE_URL ??= own.site;
    await first?.(env);
    own.product = start(root, env);
    await own.product.ready(240_000);
  }, 300_000);
  afterAll(async () => {
    await endAll(own.product, folder);
    if (env.HOSTING !== 'off') await removeLeftovers(env.DATA_DIR!);
    await removeFolder(folder);
  });
  return own;
}

/** Creates an account in it and gives an access token with every scope. */
export async function person(
  { env }: OwnProduct,
  username: string,
  role: Role = 'developer',
): Promise<string> {
  const sql = connect({ address: embeddedPostgresAddress(env.DATA_DIR!), max: 1 });
  try {
    return await token(sql, await user(sql, { username, role }));
  } finally {
    await sql.end();
  }
}
