import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { removeLeftovers } from '../containers.ts';
import { root } from '../install.mjs';
import {
  cairn,
  clustersOf,
  endAll,
  freePort,
  type Product,
  privateFolder,
  removeFolder,
  start,
} from './product.ts';

export interface OwnProduct {
  /** Removed at the end, with every process that mentions it. */
  folder: string;
  env: Record<string, string>;
  /** Where the database lies when its user cannot reach `folder`. */
  clusters: string[];
  /** The one that runs; a test that starts it again puts the new one here. */
  product: Product;
  /** Address of the site. */
  site: string;
}

/**
 * `npm start` of this checkout for a whole test file, in a folder of its own, without demo content. `first` may add to
 * its environment before it starts.
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
  const own = { folder, env, clusters: [], site: '' } as unknown as OwnProduct;
  beforeAll(async () => {
    env.PORT = String(await freePort());
    own.site = `http://127.0.0.1:${env.PORT}`;
    await first?.(env);
    own.product = start(root, env);
    await own.product.ready(240_000);
    own.clusters.push(...clustersOf(env.DATA_DIR!));
  }, 300_000);
  afterAll(async () => {
    await endAll(own.product, folder, own.clusters);
    if (env.HOSTING !== 'off') await removeLeftovers(env.DATA_DIR!);
    await removeFolder(folder, own.clusters);
  });
  return own;
}

/** What everybody signs in with who is made by `person`. */
export const password = 'three-flat-stones';

/** Makes an account in it and gives an access token that may do everything. */
export async function person({ env }: OwnProduct, name: string, role = 'developer'): Promise<string> {
  const given = [
    '--username',
    name,
    '--email',
    `${name}@example.org`,
    '--password',
    password,
    '--role',
    role,
  ];
  await cairn(root, env, 'user', 'create', ...given);
  return await cairn(root, env, 'token', 'create', '--user', name, '--scopes', 'all', '--days', '1');
}
