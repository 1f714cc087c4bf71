import { globSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { root } from '../install.mjs';

/** The top-level folders with source code. */
export const folders = ['agents', 'bench', 'bin', 'content', 'control-plane', 'db', 'e2e', 'site'] as const;

export interface Import {
  /** Path below the project folder, a package name, or `node:` and a module of Node. */
  to: string;
  /** `import type`: removed at run time. */
  type: boolean;
}

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

/** Source files and their imports. Built from texts, so that a guard can be tested on a small sample. */
export class SourceTree {
  readonly paths: string[];
  readonly #texts: ReadonlyMap<string, string>;
  readonly #imports = new Map<string, Import[]>();

  /** `texts`: path from the project folder -> content. */
  constructor(texts: Record<string, string>) {
    this.#texts = new Map(Object.entries(texts));
    this.paths = [...this.#texts.keys()];
  }

  has(path: string): boolean {
    return this.#texts.has(path);
  }

  /** The text of a file; empty when the tree has none at `path`. */
  text(path: string): string {
    return this.#texts.get(path) ?? '';
  }

  /** The text without comments. */
  code(path: string): string {
    return this.text(path)
      .replace(/\/\*[\s\S]*?\*\//g, '')
      .replace(/(^|\s)\/\/.*$/gm, '');
  }

  /** The resolved imports of a file. `import('x').Type` in a type counts as a type import. */
  imports(path: string): Import[] {
    const known = this.#imports.get(path);
    if (known) return known;
    const text = this.code(path);
    const found: Import[] = [];
    for (const [, type, name] of text.matchAll(statement))
      found.push({ to: this.resolve(path, name!), type: Boolean(type) });
    for (const match of text.matchAll(dynamic)) {
      const type = text[match.index + match[0].length] === '.';
      found.push({ to: this.resolve(path, match[1]!), type });
    }
    for (const [, name] of text.matchAll(worker)) found.push({ to: this.resolve(path, name!), type: false });
    this.#imports.set(path, found);
    return found;
  }

  /** What an import of `name` in the file `from` means: a path, or the name of a package. */
  resolve(from: string, name: string): string {
    const [head = '', ...rest] = name.split('/');
    const alias = aliases[head];
    const path = alias
      ? posix.join(alias, ...rest)
      : name.startsWith('.')
        ? posix.join(posix.dirname(from), name)
        : null;
    if (path === null) return name;
    return [path, `${path}.ts`].find((one) => this.has(one)) ?? path;
  }

  /** Everything that is loaded when `path` runs: file -> the file that imports it. */
  reachedFrom(path: string): Map<string, string> {
    const way = new Map<string, string>([[path, '']]);
    for (const [file] of way)
      for (const { to, type } of this.imports(file)) if (!type && !way.has(to)) way.set(to, file);
    return way;
  }
}

/** The import chain to `to`, as text: `a -> b -> c`. */
export function wayTo(way: Map<string, string>, to: string): string {
  const steps = [to];
  for (let at = way.get(to); at; at = way.get(at)) steps.unshift(at);
  return steps.join(' -> ');
}

/** All source files of the project below its top-level folders; no packages, no declarations. */
export function projectSources(): SourceTree {
  const paths = globSync(
    folders.map((folder) => `${folder}/**/*.{ts,tsx,mjs,js,astro}`),
    { cwd: root, exclude: (path) => path.endsWith('node_modules') },
  ).filter((path) => !path.endsWith('.d.ts'));
  return new SourceTree(
    Object.fromEntries(paths.map((path) => [path, readFileSync(posix.join(root, path), 'utf8')])),
  );
}
