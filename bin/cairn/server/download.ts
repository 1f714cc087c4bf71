import { createWriteStream } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { UserError } from '../../user-error.ts';

const probe_ms = 3_000;
const away = 'Cairn is not responding.';

/** Ends the command when a file exists that is to be written. */
export async function assertNew(file: string): Promise<void> {
  if (await stat(file).catch(() => null)) throw new UserError(`${file} exists already.`);
}

/** What an address has. Ends the command with the description of a refusal; `unknown` is said of one without. */
export async function openDownload(
  address: string,
  unknown?: (answer: Response) => string,
): Promise<Readable> {
  const answer = await fetch(address).catch(() => null);
  if (!answer?.ok || !answer.body) throw new UserError(answer ? await descriptionOf(answer, unknown) : away);
  return Readable.fromWeb(answer.body as never);
}

/** What a refusal over HTTP says. */
export async function descriptionOf(
  answer: Response,
  unknown = ({ status }: Response) => `Cairn answered ${status}.`,
): Promise<string> {
  const said = (await answer.json().catch(() => null)) as { description?: unknown } | null;
  return typeof said?.description === 'string' ? said.description : unknown(answer);
}

/** Writes a file that does not exist yet; a download that is cut off leaves none. */
export async function saveDownload(content: Readable, file: string): Promise<void> {
  const part = `${file}.part`;
  try {
    await pipeline(content, createWriteStream(part));
    await rename(part, file);
  } catch (error) {
    await rm(part, { force: true });
    throw new UserError(`The download was cut off: ${(error as Error).message}.`);
  }
}

/**
 * Where a transfer goes: to the machine of the server when that has a port of its own (`direct`) and is reached, else to
 * `address` on the site.
 */
export async function wayOf(
  url: string,
  { address, direct }: { address: string; direct?: string | undefined },
): Promise<string> {
  const atSite = url.replace(/\/+$/, '') + address;
  if (!direct) return atSite;
  const signal = AbortSignal.timeout(probe_ms);
  const found = await fetch(`${new URL(direct).origin}/transfers`, { method: 'OPTIONS', signal }).catch(
    () => null,
  );
  return found?.ok ? direct : atSite;
}
