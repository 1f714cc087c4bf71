import { type Embedded, startEmbedded } from '#db/embedded.ts';
import { Trouble } from './trouble.ts';

const tries = 3;
/** Who ran this long counts as recovered: its next end is the first again. */
const calm_ms = 60_000;

/**
 * Starts the embedded Postgres and keeps it running: when it ends by itself it is started again, after more than three within a minute each
 * `lost` is told. Gives the running server; it is stopped last. Ends the start with one line when it cannot run at all.
 */
export async function keepPostgres(
  dataDir: string,
  house: Array<() => unknown>,
  lost: (line: string) => void,
): Promise<Embedded> {
  let stopping = false;
  let ends = 0;
  let born = 0;
  const start = async () => {
    born = Date.now();
    const server = await startEmbedded(dataDir);
    if (stopping) await server.stop();
    server.ended.then(again);
    return server;
  };
  const again = async () => {
    if (stopping) return;
    ends = Date.now() - born > calm_ms ? 1 : ends + 1;
    if (ends > tries) return lost('Postgres ended by itself too often: giving up.');
    console.error('Postgres ended by itself; starting it again.');
    running = start();
    await running.catch((error) => lost(oneLine(error)));
  };
  let running = start();
  house.push(async () => {
    stopping = true;
    await (await running.catch(() => null))?.stop();
  });
  return await running.catch((error) => {
    throw new Trouble(oneLine(error));
  });
}

const oneLine = (error: unknown): string => (error instanceof Error ? error.message : String(error));
