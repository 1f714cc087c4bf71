import { createWriteStream } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { UserError } from '../user-error.ts';

/**
 * Downloads an address into a file that does not exist yet; a download that is cut off leaves none. Ends the command with
 * the description of a refusal.
 */
export async function downloadFile(address: string, file: string): Promise<void> {
  if (await stat(file).catch(() => null)) throw new UserError(`${file} exists already.`);
  const answer = await fetch(address).catch(() => null);
  if (!answer?.ok || !answer.body) {
    const said = (await answer?.json().catch(() => null)) as { description?: unknown } | null | undefined;
    throw new UserError(
      typeof said?.description === 'string' ? said.description : 'Cairn is not responding.',
    );
  }
  const part = `${file}.part`;
  try {
    await pipeline(Readable.fromWeb(answer.body as never), createWriteStream(part));
    await rename(part, file);
  } catch (error) {
    await rm(part, { force: true });
    throw new UserError(`The download was cut off: ${(error as Error).message}.`);
  }
}
