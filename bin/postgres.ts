import { type Embedded, startEmbedded } from '#db/embedded.ts';
import { Trouble } from './trouble.ts';

const tries = 3;

/**
 * Starts the embedded Postgres and keeps it running: when it ends by itself it is started again, after three such ends
 * `lost` is told. Gives the running server; it is stopped last. Ends the start with one line when it cannot run at all.
 */
export async function keepPostgres(
  dataDir: string,
  house: Array<() => unknown>,
  lost: (line: string) => void,
): Promise<Embedded> {
  let stopping = false;
  let ends = 0;
  const start = async () => {
    const server = await startEmbedded(dataDir);
    if (stopping) await server.stop();
    server.ended.then(again);
    return server;
  };
  const again = async () => {
    if (stopping) return;
    ends += 1;
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
