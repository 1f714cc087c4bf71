import { readdirSync } from 'node:fs';

/** What the demo server does in place of a loader: the game is the same for each, and files are named, not loaded. */

/** A file whose name contains this ends the start with code 1, to try what happens then. */
const crashing = 'crash-on-start';

interface Loaded {
  /** Lines of the log. */
  lines: string[];
  /** Why the server can't start, or null. */
  error: string | null;
}

/**
 * What the start of a server of `TYPE` says, with the jars that are in `data`. `LOADER_CONTENT` is what its loader loads, `mod`
 * or `plugin`; the variable with its version begins with its name. Source: hosting §1b.
 */
export function load(env: Record<string, string | undefined>, data: string): Loaded {
  const type = (env.TYPE || 'VANILLA').toUpperCase();
  const flags = [env.JVM_XX_OPTS, env.JVM_OPTS].filter(Boolean).join(' ');
  const lines = [`Java flags: ${flags || 'none'}; heap: ${env.MEMORY || 'the default'}`];
  if (type === 'VANILLA') return { lines: [...lines, 'Loader: vanilla'], error: null };
  const one = env.LOADER_CONTENT;
  if (!one) return { lines, error: `This server has no loader ${type}.` };
  const version = Object.entries(env).find(([name]) => name.startsWith(`${type}_`))?.[1];
  lines.push(`Loader: ${type.toLowerCase()} ${version || '(newest version)'}`);
  const jars = jarsIn(`${data}/${one}s`);
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
