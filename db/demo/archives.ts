export interface ArchiveOf {
  slug: string;
  title: string;
  summary: string;
  number: string;
  loaders: string[];
  game_version: string;
}

/** A plausible mod id: letters, digits and underscores. */
const idOf = (slug: string) => slug.replaceAll('-', '_').replaceAll('.', '_');

const manifests: Record<string, (of: ArchiveOf) => Record<string, string>> = {
  fabric: (of) => ({
    'fabric.mod.json': JSON.stringify(
      {
        schemaVersion: 1,
        id: idOf(of.slug),
        version: of.number,
        name: of.title,
        description: of.summary,
        depends: { minecraft: `>=${of.game_version}` },
      },
      null,
      2,
    ),
  }),
  quilt: (of) => ({
    'quilt.mod.json': JSON.stringify(
      {
        schema_version: 1,
        quilt_loader: {
          group: 'demo',
          id: idOf(of.slug),
          version: of.number,
          metadata: { name: of.title, description: of.summary },
        },
      },
      null,
      2,
    ),
  }),
  forge: (of) => ({ 'META-INF/mods.toml': toml(of) }),
  neoforge: (of) => ({ 'META-INF/neoforge.mods.toml': toml(of) }),
  velocity: (of) => ({
    'velocity-plugin.json': JSON.stringify(
      { id: idOf(of.slug), name: of.title, version: of.number, main: 'demo.Main' },
      null,
      2,
    ),
  }),
  sponge: (of) => ({
    'META-INF/sponge_plugins.json': JSON.stringify(
      {
        loader: { name: 'java_plain', version: '1.0' },
        license: 'MIT',
        plugins: [{ id: idOf(of.slug), name: of.title, version: of.number, entrypoint: 'demo.Main' }],
      },
      null,
      2,
    ),
  }),
  datapack: (of) => ({
    ...pack(of),
    [`data/${idOf(of.slug)}/function/load.mcfunction`]: `say ${of.title} ${of.number}\n`,
  }),
  minecraft: (of) => ({
    ...pack(of),
    'assets/demo/lang/en_us.json': JSON.stringify({ 'pack.name': of.title }),
  }),
  iris: (of) => shader(of),
  optifine: (of) => shader(of),
};

const toml = (of: ArchiveOf) =>
  `modLoader="javafml"\nloaderVersion="[1,)"\nlicense="demo"\n[[mods]]\nmodId="${idOf(of.slug)}"\nversion="${of.number}"\ndisplayName="${of.title}"\ndescription="${of.summary}"\n`;
const pack = (of: ArchiveOf) => ({
  'pack.mcmeta': JSON.stringify({ pack: { pack_format: 48, description: of.summary } }, null, 2),
});
const shader = (of: ArchiveOf) => ({
  'shaders/final.fsh': `#version 330\n// ${of.title} ${of.number}\nvoid main() {}\n`,
});
const bukkitPlugin = (of: ArchiveOf) => ({
  'plugin.yml': `name: ${idOf(of.slug)}\nversion: ${of.number}\nmain: demo.Main\napi-version: '1.21'\n`,
});
const proxyPlugin = (of: ArchiveOf) => ({
  'bungee.yml': `name: ${idOf(of.slug)}\nversion: ${of.number}\nmain: demo.Main\n`,
});
const byFamily: Record<string, (of: ArchiveOf) => Record<string, string>> = {
  bukkit: bukkitPlugin,
  spigot: bukkitPlugin,
  paper: bukkitPlugin,
  purpur: bukkitPlugin,
  folia: bukkitPlugin,
  bungeecord: proxyPlugin,
  waterfall: proxyPlugin,
};

/** The entries of a valid archive for every loader of `of`. Source: api-v3 §9.2. */
export function entriesOf(of: ArchiveOf): Record<string, string> {
  const entries = of.loaders.map((loader) => (manifests[loader] ?? byFamily[loader])?.(of) ?? {});
  return Object.assign({ 'README.txt': `${of.title} ${of.number}\n\n${of.summary}\n` }, ...entries);
}

export interface PackedFile {
  filename: string;
  url: string;
  sha1: string;
  sha512: string;
  size: number;
}

/** What the index of a modpack asks for. */
export const packDependencies = ({ loaders, game_version }: Pick<ArchiveOf, 'loaders' | 'game_version'>) => ({
  minecraft: game_version,
  ...(loaders.includes('fabric') ? { 'fabric-loader': '0.16.14' } : { neoforge: '21.4.111' }),
});

/** The entries of a `.mrpack`: its index names hosted files, overrides contain one setting. Source: api-v3 §9.3. */
export function packEntries(of: ArchiveOf, files: PackedFile[]): Record<string, string> {
  const index = {
    formatVersion: 1,
    game: 'minecraft',
    versionId: of.number,
    name: of.title,
    summary: of.summary,
    files: files.map(({ filename, url, sha1, sha512, size }) => ({
      path: `mods/${filename}`,
      hashes: { sha1, sha512 },
      env: { client: 'required', server: 'required' },
      downloads: [url],
      fileSize: size,
    })),
    dependencies: packDependencies(of),
  };
  return { 'modrinth.index.json': JSON.stringify(index, null, 2), 'overrides/options.txt': 'guiScale:2\n' };
}
