import { type RefusalCode, Refused } from '../errors.ts';
import { ConcurrencyLimiter } from '../runtime/concurrency.ts';
import type { ByteSource } from '../storage/storage.ts';
import type { MediaSettings } from '../storage/url.ts';
import {
  type CheckedVersion,
  checksFor,
  type LoaderCheck,
  missingFrom,
  modpackEntry,
} from './loader-checks.ts';
import { type MrpackIndex, mrpackHosts } from './mrpack.ts';
import { readModpackIndexAside } from './mrpack-aside.ts';
import { archives, extensionOf, type FileExtension, whyNotName, whyNotType } from './rules.ts';
import { type Archive, withArchive } from './zip.ts';

interface Finding {
  code: RefusalCode;
  data: Record<string, unknown>;
}

export interface Inspection {
  /** Refuses the upload. */
  problem: Finding | null;
  /** Refuses the file only as the primary file of a version. */
  warning: Finding | null;
  mrpack: MrpackIndex | null;
  /** Entry names of a modpack, for `embeddedOf`; empty for other files. */
  entries: string[];
}

/** Limit of open archives: each holds its directory in memory and uses one CPU. */
const limiter = new ConcurrencyLimiter({ max_running: 2, max_waiting: 40, timeout_ms: 20_000 });

const packTypes = ['required-resource-pack', 'optional-resource-pack'];

/**
 * Whether an uploaded file may be part of the version: name and type, readable archive, and content required by its
 * loaders. At most two archives are open at a time, one of an account; others wait, 20 seconds at most. Refuses `busy`. Modpacks may also load files from this installation
 * (`settings`). Never throws for an invalid file.
 * Source: api-v3 §9; decisions §1.3 (archives must open whatever the loader).
 */
export async function inspect(
  { filename, content }: { filename: string; content: ByteSource },
  version: CheckedVersion & { file_type: string | null },
  settings: MediaSettings,
): Promise<Inspection> {
  const found: Inspection = { problem: null, warning: null, mrpack: null, entries: [] };
  const code = whyNotName(filename) ?? whyNotType(filename, version.file_type);
  if (code)
    return {
      ...found,
      problem: { code, data: { filename, extensions: 'jar, zip, litemod, mrpack, asc, gpg, sig' } },
    };
  try {
    if (!archives.includes(extensionOf(filename))) return { ...found, ...byExtension(filename, version) };
    return await limiter.run(() =>
      withArchive({ filename, content }, async (archive) => ({
        ...found,
        ...(await byContent(archive, filename, version, settings)),
      })),
    );
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { ...found, problem: { code: error.code, data: error.data } };
  }
}

type Version = CheckedVersion & { file_type: string | null };

/** Checks for this extension; a warning or problem when there are checks but none takes it. */
function byExtension(filename: string, version: Version): Partial<Inspection> & { checks?: LoaderCheck[] } {
  if (version.file_type === 'signature') return {};
  const checks = checksFor(version);
  const extension = extensionOf(filename) as FileExtension;
  const taking = checks.filter(({ extensions }) => extensions.includes(extension));
  if (checks.length === 0 || taking.length > 0) return { checks: taking };
  const loader = checks.flatMap(({ loaders }) => loaders.filter((name) => version.loaders.includes(name)));
  const extensions = [...new Set(checks.flatMap((check) => check.extensions))];
  const finding: Finding = {
    code: 'loader_extension_wrong',
    data: { filename, loader: [...new Set(loader)].join(', '), extensions: extensions.join(', ') },
  };
  return extension === 'zip' ? { warning: finding } : { problem: finding };
}

async function byContent(
  archive: Archive,
  filename: string,
  version: Version,
  settings: MediaSettings,
): Promise<Partial<Inspection>> {
  const { names } = archive;
  if (packTypes.includes(version.file_type ?? '')) {
    return { warning: lacking([['pack.mcmeta']], names, { filename, loader: 'minecraft' }) };
  }
  const { checks = [], ...found } = byExtension(filename, version);
  for (const check of checks) {
    if (check.extensions.includes('mrpack')) return await byIndex(archive, filename, settings);
    const loader = check.loaders.filter((name) => version.loaders.includes(name)).join(', ');
    const disguised = check.mod ? modpackEntry(names) : null;
    const warning: Finding | null = disguised
      ? { code: 'modpack_not_mrpack', data: { filename, entry: disguised } }
      : lacking(check.needs, names, { filename, loader });
    if (warning) return { warning };
  }
  return found;
}

const lacking = (
  needs: string[][],
  names: readonly string[],
  about: { filename: string; loader: string },
): Finding | null => {
  const missing = missingFrom(needs, names);
  return missing ? { code: 'loader_entry_missing', data: { ...about, needed: missing.join(' / ') } } : null;
};

async function byIndex(
  archive: Archive,
  filename: string,
  settings: MediaSettings,
): Promise<Partial<Inspection>> {
  const index = await readModpackIndexAside(archive, allowedHosts(settings));
  if (!index) return { warning: { code: 'mrpack_index_missing', data: { filename } } };
  if (!('code' in index)) return { mrpack: index, entries: [...archive.names] };
  return { problem: { code: index.code, data: { filename, ...index.data } } };
}

/** Allowed download hosts of modpacks: the common ones and this installation. */
export const allowedHosts = ({ CDN_URL }: MediaSettings): string[] => [
  ...new Set([...mrpackHosts, new URL(CDN_URL).host]),
];

/**
 * Chooses the primary file of the version: the one named by its part, else the only one, else the first without a
 * warning. Refuses the problem of any file, the warning of the chosen one, `primary_file_unknown` and
 * `primary_file_missing`. Source: api-v3 §9.1.
 */
export function choosePrimary(
  files: Array<{ part: string; inspection: Inspection }>,
  named: string | undefined,
): number {
  for (const { inspection } of files) refuse(inspection.problem);
  if (files.length === 0) throw new Refused('primary_file_missing');
  let chosen = 0;
  if (named !== undefined) {
    chosen = files.findIndex(({ part }) => part === named);
    if (chosen < 0) throw new Refused('primary_file_unknown', { part: named });
  } else if (files.length > 1) {
    chosen = Math.max(
      0,
      files.findIndex(({ inspection }) => !inspection.warning),
    );
  }
  refuse(files[chosen]!.inspection.warning);
  return chosen;
}

const refuse = (finding: Finding | null): void => {
  if (finding) throw new Refused(finding.code, finding.data);
};
