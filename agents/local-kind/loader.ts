import { readdirSync } from 'node:fs';

/** What the demo server does in place of a loader: the game is the same for each, and files are named, not loaded. */

/** Where a loader finds its files, what it calls one, and the variable with its version. Source: hosting §1b. */
const loaders = {
  FABRIC: { folder: 'mods', one: 'mod', version: 'FABRIC_LOADER_VERSION' },
  QUILT: { folder: 'mods', one: 'mod', version: 'QUILT_LOADER_VERSION' },
  FORGE: { folder: 'mods', one: 'mod', version: 'FORGE_VERSION' },
  NEOFORGE: { folder: 'mods', one: 'mod', version: 'NEOFORGE_VERSION' },
  PAPER: { folder: 'plugins', one: 'plugin', version: 'PAPER_BUILD' },
  PURPUR: { folder: 'plugins', one: 'plugin', version: 'PURPUR_BUILD' },
} as const;

/** A file whose name contains this ends the start with code 1, to try what happens then. */
const crashing = 'crash-on-start';

interface Loaded {
  /** Lines of the log. */
  lines: string[];
  /** Why the server can't start, or null. */
  error: string | null;
}

/** What the start of a server of `TYPE` says, with the jars that are in `data`. */
export function load(env: Record<string, string | undefined>, data: string): Loaded {
  const type = (env.TYPE || 'VANILLA').toUpperCase();
  const flags = [env.JVM_XX_OPTS, env.JVM_OPTS].filter(Boolean).join(' ');
  const lines = [`Java flags: ${flags || 'none'}; heap: ${env.MEMORY || 'the default'}`];
  if (type === 'VANILLA') return { lines: [...lines, 'Loader: vanilla'], error: null };
  if (!Object.hasOwn(loaders, type))
    return {
      lines,
      error: `This server has no loader ${type}: use one of VANILLA, ${Object.keys(loaders).join(', ')}.`,
    };
  const { folder, one, version } = loaders[type as keyof typeof loaders];
  lines.push(`Loader: ${type.toLowerCase()} ${env[version] || '(newest version)'}`);
  const jars = jarsIn(`${data}/${folder}`);
  const broken = jars.find((name) => name.includes(crashing));
  return {
    lines: [...lines, ...jars.map((name) => `Loaded ${one} ${name}`)],
    error: broken ? `The ${one} ${broken} failed to load: remove or disable it.` : null,
  };
}

/** Regular files that end in `.jar`: one that is disabled has another ending. */
function jarsIn(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((one) => one.isFile() && one.name.endsWith('.jar'))
      .map(({ name }) => name)
      .sort();
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return [];
    throw error;
  }
}
