import type { InstalledFile } from './installed.ts';
import type { Pack } from './pack-archive.ts';
import { enabledPath } from './rules.ts';
import type { Comparison } from './view.ts';

type Row = Comparison['rows'][number];

/** Most rows of a comparison. */
const max_rows = 2_000;

const nameOf = (path: string): string => enabledPath(path).slice(path.lastIndexOf('/') + 1);

/**
 * The files of a modpack beside the content of a server: the same file, another version of the same project, or one that only one
 * of the two has. What differs comes first.
 */
export function comparePack(pack: Pack, files: readonly InstalledFile[]): Comparison {
  const enabled = files.filter((file) => file.enabled);
  const byHash = new Map(enabled.map((file) => [file.sha512, file]));
  const byProject = new Map(enabled.map((file) => [file.known?.project.id, file]));
  const matched = new Set<InstalledFile>();
  const rows = pack.files.map(({ path, sha512, client_only, known }): Row => {
    const same = byHash.get(sha512);
    const other = same ?? (known ? byProject.get(known.project.id) : undefined);
    if (other) matched.add(other);
    return {
      title: known?.project.title ?? nameOf(path),
      client: known?.version.version_number ?? nameOf(path),
      server: other ? (other.known?.version.version_number ?? nameOf(other.path)) : null,
      state: stateOf({ isSame: same !== undefined, isOther: other !== undefined, client_only }),
    };
  });
  const left = enabled.filter((file) => !matched.has(file));
  rows.push(
    ...left.map(
      ({ known, path }): Row => ({
        title: known?.project.title ?? nameOf(path),
        client: pack.overrides.has(path) ? nameOf(path) : null,
        server: known?.version.version_number ?? nameOf(path),
        // what is in the archive itself has no hash to compare
        state: pack.overrides.has(path) ? 'same' : 'only_on_server',
      }),
    ),
  );
  rows.sort((a, b) => order.indexOf(a.state) - order.indexOf(b.state) || (a.title < b.title ? -1 : 1));
  return { rows: rows.slice(0, max_rows), pack: pack.version.version };
}

const order: readonly Row['state'][] = [
  'different',
  'missing_on_server',
  'only_on_server',
  'client_only',
  'same',
];

function stateOf({
  isSame,
  isOther,
  client_only,
}: Record<'isSame' | 'isOther' | 'client_only', boolean>): Row['state'] {
  if (isSame) return 'same';
  if (isOther) return 'different';
  return client_only ? 'client_only' : 'missing_on_server';
}
