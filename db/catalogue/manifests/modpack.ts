import { indexName, loaderNames, readModpackIndex } from '../../platform/files/mrpack.ts';
import { emptyManifest, type KnownGameVersion, type Manifest } from './manifest.ts';
import type { ManifestReader } from './manifest-text.ts';
import { gameVersionsOf, nameOf, versionNumberOf } from './manifest-values.ts';

/**
 * `modrinth.index.json` of a modpack, by the reader of the server's checks. Its content is no list of dependencies: the
 * server finds the projects by the hashes of the files. Source: api-v3 §9.3.
 */
export async function modpackManifest(
  reader: ManifestReader,
  known: readonly KnownGameVersion[],
): Promise<Manifest | null> {
  if (!reader.has(indexName)) return null;
  // a host that the installation does not allow is refused there, with its list
  const index = await readModpackIndex(reader.archive, null).catch(() => null);
  if (!index || 'code' in index) {
    reader.add(index ? 'wrong_type' : 'entry_unreadable', indexName, index ? fieldOf(index.data) : null);
    return emptyManifest();
  }
  const { minecraft, ...others } = index.dependencies;
  return {
    name: nameOf(reader, index.name, indexName),
    version_number: versionNumberOf(reader, index.versionId, indexName),
    loaders: Object.keys(others).map((key) => loaderNames[key as keyof typeof loaderNames]),
    game_versions: gameVersionsOf(
      reader,
      indexName,
      minecraft ? [[[{ operator: '=', version: minecraft }]]] : null,
      known,
    ),
    dependencies: [],
    environment: null,
    license: null,
  };
}

const fieldOf = (data: object): string | null => ('field' in data ? String(data.field) : null);
