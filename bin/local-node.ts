import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AppContext } from '#db/context.ts';
import { addNode, editNode, type NewNode, reissueJoinToken } from '#db/hosting/nodes/write.ts';
import { regions } from '#db/money/billing/rules.ts';
import { Refused } from '#db/platform/errors.ts';
import { isLoopback, type Settings } from '#db/platform/runtime/env.ts';

/** The node of this machine in the installation of a data folder. */
export interface LocalNode {
  id: string;
  /** For its agent's first connection; null when the agent has its secret already. */
  join_token: string | null;
  /** The agent's own folder: secret, state, files of the servers. */
  folder: string;
}

/**
 * Registers this machine as a node, once per data folder, with the current settings; its id is stored beside the
 * agent's secret. The first one is named `local`, those of other machines on the same database `local-2` and so on.
 */
export async function localNode({ sql, settings, now }: AppContext): Promise<LocalNode> {
  const folder = join(settings.DATA_DIR, 'agent');
  const [note, secret] = [join(folder, 'node'), join(folder, 'secret')];
  const known = existsSync(note) ? readFileSync(note, 'utf8').trim() : null;
  const options = nodeOptions(settings);
  const exists = known !== null && (await sql.begin((tx) => editNode(tx, known, options)).then(yes, unknown));
  if (exists) {
    if (existsSync(secret)) return { id: known, join_token: null, folder };
    return { id: known, folder, ...(await sql.begin((tx) => reissueJoinToken(tx, known, now()))) };
  }
  const added = await addFirstFree({ sql, now }, options);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  rmSync(secret, { force: true }); // of a node that is missing in the database
  writeFileSync(note, `${added.id}\n`);
  return { ...added, folder };
}

const yes = () => true;
const unknown = (error: unknown): boolean => {
  if (error instanceof Refused && error.code === 'node_unknown') return false;
  throw error;
};

/** While the site listens on loopback only, so do the game ports. */
function nodeOptions({ NODE_ADDRESS, AGENT_PORTS, OVERCOMMIT }: Settings): Omit<NewNode, 'name'> {
  const [port_from, port_to] = AGENT_PORTS.split('-').map(Number) as [number, number];
  const loopback = NODE_ADDRESS.includes(':') ? '::1' : '127.0.0.1';
  const bind_address = isLoopback(NODE_ADDRESS) ? loopback : '0.0.0.0';
  const places = { region: regions[0], public_address: NODE_ADDRESS, bind_address };
  return { ...places, port_from, port_to, overcommit: OVERCOMMIT };
}

async function addFirstFree(
  { sql, now }: Pick<AppContext, 'sql' | 'now'>,
  options: Omit<NewNode, 'name'>,
): Promise<{ id: string; join_token: string }> {
  for (let number = 1; ; number++) {
    const name = number === 1 ? 'local' : `local-${number}`;
    try {
      return await sql.begin((tx) => addNode(tx, { ...options, name }, now()));
    } catch (error) {
      if (!(error instanceof Refused) || error.code !== 'node_name_taken' || number >= 100) throw error;
    }
  }
}
