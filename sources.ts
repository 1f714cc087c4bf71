import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The source text of the whole project, for the tests of its architecture; nothing else imports this. */
const root = import.meta.dirname;
export const folders = ['agents', 'bench', 'bin', 'content', 'control-plane', 'db', 'e2e', 'site'] as const;

export interface Import {
  /** Path below the project's folder, or the package's name. */
  to: string;
  /** `import type`: gone when the code runs. */
  type: boolean;
}

/** All source files below the top-level folders, as paths from the project's folder; no package of anybody's. */
export const sources: string[] = globSync(
  folders.map((folder) => `${folder}/**/*.{ts,tsx,mjs,js,astro}`),
  { cwd: root, exclude: (path) => path.endsWith('node_modules') },
).filter((path) => !path.endsWith('.d.ts'));

export const isTest = (path: string): boolean =>
  /(\.test|\.e2e)\.ts$|(^|\/)test-[\w-]+\.ts$|\/contract[\w./-]*\.ts$/.test(path);
export const textOf = (path: string): string => readFileSync(join(root, path), 'utf8');

const statement = /^[ \t]*(?:import|export)\s+(type\s)?(?:[^'";]*?\sfrom\s+)?['"]([^'"]+)['"]/gm;
const dynamic = /\bimport\(\s*['"]([^'"]+)['"]\s*\)/g;
const worker = /new URL\(\s*['"](\.[^'"]+\.ts)['"]\s*,\s*import\.meta\.url/g;
const aliases: Record<string, string> = {
  '#db': 'db',
  '#site': 'site',
  '#content': 'content',
  '#control': 'control-plane',
  '#agents': 'agents',
};

/** What a source file imports, resolved. `import('x').Type` in types counts as a type import. */
export function importsOf(path: string): Import[] {
  const text = textOf(path).replace(/\/\*[\s\S]*?\*\//g, '');
  const found: Import[] = [];
  for (const [, type, name] of text.matchAll(statement))
    found.push({ to: resolved(path, name!), type: Boolean(type) });
  for (const match of text.matchAll(dynamic)) {
    const type = text[match.index + match[0].length] === '.';
    found.push({ to: resolved(path, match[1]!), type });
  }
  for (const [, name] of text.matchAll(worker)) found.push({ to: resolved(path, name!), type: false });
  return found;
}

function resolved(from: string, name: string): string {
  const [head = '', ...rest] = name.split('/');
  const alias = aliases[head];
  const path = alias ? join(alias, ...rest) : name.startsWith('.') ? join(dirname(from), name) : null;
  if (path === null) return name;
  return [path, `${path}.ts`].find((one) => existsSync(join(root, one))) ?? path;
}

/** Everything that runs when `path` runs, with the way there: file -> the file that imports it. */
export function reachedFrom(path: string): Map<string, string> {
  const way = new Map<string, string>([[path, '']]);
  for (const [file] of way) {
    if (!sources.includes(file)) continue;
    for (const { to, type } of importsOf(file)) if (!type && !way.has(to)) way.set(to, file);
  }
  return way;
}

/** How `to` is reached, as text: `a -> b -> c`. */
export function wayTo(way: Map<string, string>, to: string): string {
  const steps = [to];
  for (let at = way.get(to); at; at = way.get(at)) steps.unshift(at);
  return steps.join(' -> ');
}
