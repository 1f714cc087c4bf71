import { emptyManifest, type FoundDependency, type Manifest } from './manifest.ts';
import { fieldsOf, type ManifestReader } from './manifest-text.ts';
import { addDependency, licenseOf, nameOf, versionNumberOf } from './manifest-values.ts';

const entries = ['META-INF/sponge_plugins.json', 'sponge_plugins.json'];

/** Names the interface of Sponge, no project. */
export const spongeInterface = 'spongeapi';

/** `sponge_plugins.json`: the first of its plugins, with what `global` says for all of them. */
export async function spongeManifest(reader: ManifestReader): Promise<Manifest | null> {
  const entry = entries.find((name) => reader.has(name));
  if (!entry) return null;
  const file = await reader.fields(entry, 'lenient_json');
  if (!file) return emptyManifest(['sponge']);
  const plugin = { ...fieldsOf(file, 'global'), ...fieldsOf(reader.list(file.plugins, entry, 'plugins')[0]) };
  const dependencies: FoundDependency[] = [];
  for (const one of reader.list(plugin.dependencies, entry, 'dependencies')) {
    const { id, optional } = fieldsOf(one);
    if (typeof id !== 'string' || id === spongeInterface) continue;
    const dependency_type = optional === true ? 'optional' : 'required';
    addDependency(reader, dependencies, { id, dependency_type }, entry);
  }
  return {
    ...emptyManifest(['sponge']),
    name: nameOf(reader, plugin.name ?? plugin.id, entry),
    version_number: versionNumberOf(reader, plugin.version, entry),
    dependencies,
    license: licenseOf(reader, file.license, entry),
  };
}
