import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { projectSources } from './bin/architecture/source-tree.ts';

/**
 * Names that the code had before it took the terms of the field, by folder: declarations at the top of a module, and
 * files. They stay away, so that one thing goes by one name. Add a line when a name of a module is replaced for good.
 */
const retired = JSON.parse(
  readFileSync(new URL('./docs/retired-names.json', import.meta.url), 'utf8'),
) as Record<string, { names: string; files: string }>;

interface Retired {
  names: Set<string>;
  files: Set<string>;
}
const scopes: Array<[folder: string, retired: Retired]> = Object.entries(retired).map(
  ([folder, { names, files }]) => [
    folder,
    { names: new Set(names.split(' ')), files: new Set(files.split(' ')) },
  ],
);

/** What a module declares at its top: functions, classes, types, constants. Of a page or component, its frontmatter. */
function declared(path: string, text: string): string[] {
  const code = path.endsWith('.astro') ? (/^---\n([\s\S]*?)\n---/.exec(text)?.[1] ?? '') : text;
  const kind = path.endsWith('.tsx') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const found: string[] = [];
  for (const node of ts.createSourceFile(path, code, ts.ScriptTarget.ESNext, false, kind).statements) {
    if (ts.isVariableStatement(node)) {
      for (const { name } of node.declarationList.declarations)
        if (ts.isIdentifier(name)) found.push(name.text);
    } else if (
      ts.isFunctionDeclaration(node) ||
      ts.isClassDeclaration(node) ||
      ts.isInterfaceDeclaration(node) ||
      ts.isTypeAliasDeclaration(node) ||
      ts.isEnumDeclaration(node)
    ) {
      if (node.name) found.push(node.name.text);
    }
  }
  return found;
}

/** The beginning of every declaration that `declared` finds, and of many that it doesn't; several names share one `const`. */
const declaration = /(?:\b(?:function\s*\*?|class|interface|type|enum|const|let|var)\s|,)\s*([\w$]+)/g;

function refused(path: string, text: string): string[] {
  const here = scopes.filter(([folder]) => path.startsWith(`${folder}/`)).map(([, names]) => names);
  const file = here.some(({ files }) => files.has(basename(path))) ? [`the file ${path}`] : [];
  const isRetired = (name: string) => here.some(({ names }) => names.has(name));
  // parsing takes long, and a name that is declared follows one of these words
  const suspect = [...text.matchAll(declaration)].some(([, name]) => isRetired(name!));
  const wrong = suspect ? declared(path, text).filter(isRetired) : [];
  return [...file, ...wrong.map((name) => `${name} in ${path}`)];
}

describe('names that were replaced', () => {
  it('do not come back', () => {
    const tree = projectSources();
    const known = tree.paths.filter((path) => /\.(ts|tsx|astro)$/.test(path));
    expect(known.flatMap((path) => refused(path, tree.text(path)))).toEqual([]);
  });

  it('are found where they are declared, not where they are words', () => {
    const sample = 'export function openRecord() {}\nconst title = "openRecord";\n// openRecord\n';
    expect(refused('db/platform/runtime/sample.ts', sample)).toEqual([
      'openRecord in db/platform/runtime/sample.ts',
    ]);
    expect(refused('db/platform/runtime/record.ts', '')).toEqual(['the file db/platform/runtime/record.ts']);
    expect(refused('site/platform/ui/Say.astro', "---\nconst title = 'Say';\n---\n")).toEqual([
      'the file site/platform/ui/Say.astro',
    ]);
  });
});
