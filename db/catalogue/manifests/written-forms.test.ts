import { describe, expect, test } from 'vitest';
import { loaderData } from '../tags/data/loaders.ts';
import { readManifests } from './read-manifests.ts';

/** What a loader, and so we, make of a form: what was meant, nothing but the loader, or no manifest at all. */
type Outcome = 'same' | 'syntax' | 'unknown';
type Syntax = 'json' | 'lenient' | 'index' | 'yaml' | 'toml';

/** Each form: how a text is changed, and what comes of it for each way to read. */
const forms: Record<string, { change(text: string): string; outcome: Partial<Record<Syntax, Outcome>> }> = {
  'a byte order mark': { change: (text) => `\ufeff${text}`, outcome: all('same') },
  'a comment of C': {
    change: (text) => `/* c */ ${text} // end`,
    outcome: { json: 'syntax', index: 'syntax', lenient: 'same' },
  },
  'a comment of a shell': {
    change: (text) => `# c\n${text}`,
    outcome: { ...all('same'), json: 'syntax', index: 'syntax' },
  },
  'single quotes': {
    change: (text) => text.replaceAll('"', "'"),
    outcome: { ...all('same'), json: 'syntax', index: 'syntax' },
  },
  'names without quotes': {
    change: (text) => text.replace(/"(\w+)":/g, '$1:'),
    outcome: { json: 'syntax', index: 'syntax', lenient: 'same' },
  },
  'a single quote with a backslash': {
    change: (text) => text.replace('description', "descri\\'ption"),
    outcome: { json: 'same', lenient: 'same', index: 'syntax' },
  },
  'a repeated key, of which the last counts': {
    change: (text) =>
      text.includes('description: ')
        ? `version: "0"\n${text}`
        : text.replace(/"(version|versionId|pack_format)":/, '"$1": "0", "$1":'),
    outcome: { json: 'same', lenient: 'same', index: 'same', yaml: 'same' },
  },
  'a repeated key of TOML': { change: (text) => `license = "0"\n${text}`, outcome: { toml: 'syntax' } },
  'a comma at the end of a list': {
    change: (text) => text.replace(/"b"\s*\]/, '"b", ]'),
    outcome: { ...all('same'), json: 'syntax', index: 'syntax' },
  },
  'a comma at the end of an object': {
    change: (text) => text.replace(/\}(?=[^}]*$)/, ', }'),
    outcome: { json: 'syntax', lenient: 'syntax', index: 'syntax' },
  },
  'tabs between': {
    change: (text) => text.replaceAll(': ', ':\t').replaceAll(' = ', '\t=\t'),
    outcome: { ...all('same') },
  },
  'a tab that indents': {
    change: (text) => text.replace(/"?description/, '\t$&'),
    outcome: { ...all('same'), yaml: 'syntax' },
  },
};

function all(outcome: Outcome): Record<Syntax, Outcome> {
  return { json: outcome, lenient: outcome, index: outcome, yaml: outcome, toml: outcome };
}

const json = (fields: object) => JSON.stringify(fields, null, 1);
const more = { description: 'description', authors: ['a', 'b'] };
const named = { name: 'Lantern', version: '1.5', ...more };
const yaml = 'name: "Lantern"\ndescription: "d"\nauthors: ["a", "b"]\nversion: "1.5"\n';
const toml =
  'license = "MIT"\ndescription = "d"\nauthors = ["a", "b"]\n[[mods]]\nmodId = "lantern"\ndisplayName = "Lantern"\nversion = "1.5"\n';
const index = {
  ...{ game: 'minecraft', formatVersion: 1, versionId: '1.5', name: 'Lantern', files: [], ...more },
  dependencies: { minecraft: '1.20.1', 'fabric-loader': '0.15.0' },
};

const kinds: Array<[entry: string, Syntax, text: string, loader: string]> = [
  ['fabric.mod.json', 'json', json(named), 'fabric'],
  ['quilt.mod.json', 'json', json({ quilt_loader: { metadata: named, version: '1.5', ...more } }), 'quilt'],
  ['META-INF/mods.toml', 'toml', toml, 'forge'],
  ['META-INF/neoforge.mods.toml', 'toml', toml, 'neoforge'],
  ['mcmod.info', 'lenient', json([named]), 'forge'],
  ['plugin.yml', 'yaml', yaml, 'bukkit'],
  ['paper-plugin.yml', 'yaml', yaml, 'paper'],
  ['bungee.yml', 'yaml', yaml, 'bungeecord'],
  ['velocity-plugin.json', 'lenient', json(named), 'velocity'],
  ['META-INF/sponge_plugins.json', 'lenient', json({ plugins: [named] }), 'sponge'],
  ['litemod.json', 'lenient', json(named), 'liteloader'],
  ['riftmod.json', 'lenient', json(named), 'rift'],
  ['pack.mcmeta', 'lenient', json({ pack: { pack_format: 15, ...more } }), 'minecraft'],
  ['modrinth.index.json', 'index', json(index), 'fabric'],
];

const read = async (entry: string, text: string) =>
  await readManifests(
    {
      names: [entry, 'overrides/a'],
      read: async (name) => (name === entry ? new TextEncoder().encode(text) : null),
    },
    ['1.20.1', '1.12.2'].map((version) => ({ version, version_type: 'release' })),
  );

const cases = kinds.flatMap(([entry, syntax, text, loader]) =>
  Object.entries(forms).flatMap(([form, { change, outcome }]) =>
    outcome[syntax] ? [{ entry, form, text, changed: change(text), loader, outcome: outcome[syntax] }] : [],
  ),
);

describe('manifests in other forms', () => {
  test.each(cases)('$entry with $form: $outcome', async ({ entry, text, changed, loader, outcome }) => {
    const plain = await read(entry, text);
    expect(plain).toMatchObject({ problems: [] });
    expect(plain.loaders).toContain(loader);
    const found = await read(entry, changed);
    if (outcome === 'same') return expect(found).toEqual(plain);
    expect(found.problems).toMatchObject([{ entry }]);
    expect(found).toMatchObject({ name: null, version_number: null });
  });

  test.each(kinds)('%s in capitals is none, as for its loader', async (entry, _, text) => {
    const found = await read(entry.toUpperCase(), text);
    expect(found.problems.map(({ code }) => code)).toEqual(['manifest_missing']);
  });

  test.each(kinds.filter(([, syntax]) => syntax !== 'index'))(
    '%s with keys in capitals says nothing',
    async (entry, _, text) => {
      const found = await read(
        entry,
        text.replace(/\b(name|displayName|modId|version|pack)\b/g, (key) => key.toUpperCase()),
      );
      expect(found).toMatchObject({ name: null, version_number: null });
    },
  );
});

/** Loaders without a manifest that names them: what is read is that of a relative, a folder, or nothing. */
const without = [
  ...['babric', 'bta-babric', 'legacy-fabric', 'ornithe', 'folia', 'purpur', 'spigot', 'waterfall'],
  ...['iris', 'optifine', 'vanilla', 'canvas', 'datapack', 'mrpack', 'java-agent', 'modloader', 'nilloader'],
];
test.each(loaderData.map(([name]) => name))('%s is read from a manifest, or known to have none', (loader) => {
  const read_from = kinds.some(([, , , name]) => name === loader);
  expect(read_from).not.toBe(without.includes(loader));
});
