import { z } from 'zod';
import { boundedText } from '../../platform/shape.ts';

const max_bytes = 8 * 1024 * 1024;
const default_timeout_ms = 20_000;

/** The list could not be read; the message is for the operator. */
export class ManifestError extends Error {}

/** Types of the list and ours. Source: api-behaviours §14. */
const types = { release: 'release', snapshot: 'snapshot', old_beta: 'beta', old_alpha: 'alpha' } as const;
const entry = z.object({
  id: boundedText(1, 64),
  type: z.string().max(64),
  releaseTime: z.iso.datetime({ offset: true }),
});
const entries = z.array(entry).max(20_000);
const manifest = z.union([entries, z.object({ versions: entries }).transform(({ versions }) => versions)]);

export interface ListedVersion {
  version: string;
  version_type: (typeof types)[keyof typeof types];
  date: string;
  major: boolean;
}

/** Releases without a patch number, such as 1.21 and 26.2, are the ones that lists of versions show first. */
export const isMajor = (version: string, version_type: string): boolean =>
  version_type === 'release' && /^\d+\.\d+$/.test(version);

/** The game versions of a list in the format of launchers; entries of unknown types are left out. */
function versionsOf(text: string): ListedVersion[] {
  const parsed = manifest.safeParse(jsonOf(text));
  if (!parsed.success)
    throw new ManifestError(
      'The list of game versions has another format: it needs id, type and releaseTime.',
    );
  return parsed.data.flatMap(({ id, type, releaseTime }) => {
    const version_type = Object.hasOwn(types, type) ? types[type as keyof typeof types] : null;
    if (!version_type) return [];
    return [{ version: id, version_type, date: releaseTime, major: isMajor(id, version_type) }];
  });
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ManifestError('The list of game versions is not JSON.');
  }
}

/** Reads the list from `address`, at most 8 MiB and within 20 seconds. Throws `ManifestError`. */
export async function fetchVersions(
  address: string,
  timeout_ms: number = default_timeout_ms,
): Promise<ListedVersion[]> {
  try {
    const answer = await fetch(address, { signal: AbortSignal.timeout(timeout_ms), redirect: 'error' });
    if (!answer.ok) {
      await answer.body?.cancel();
      throw new ManifestError(`The list of game versions could not be read: status ${answer.status}.`);
    }
    return versionsOf(await textOf(answer));
  } catch (error) {
    if (error instanceof ManifestError) throw error;
    throw new ManifestError(`The list of game versions could not be read: ${(error as Error).message}.`);
  }
}

async function textOf({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.length;
    if (bytes > max_bytes) throw new ManifestError('The list of game versions is larger than 8 MiB.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
