import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { convertToTsx } from '@astrojs/astro2tsx';

/** The folder of the shadows, below the folder of the project. */
export const shadowFolder = '.tmp/types';

/** An `.astro` file as the compiler reads it: its TSX, or one of its scripts. */
export interface Shadow {
  /** Below the folder of the project. */
  path: string;
  /** The file it stands for. */
  source: string;
  text: string;
  /** Where what the source says ends; the converter’s own types follow. */
  end: number;
  /** Which part of it is which part of the source, by offsets. */
  spans: ReadonlyArray<{ at: number; length: number; source_at: number; source_length: number }>;
}

/** The shadows of the `.astro` file `source`, whose text is `text`; and what is wrong with its syntax. */
export function shadowsOf(source: string, text: string): { shadows: Shadow[]; problems: TypeProblem[] } {
  const { code, body, mappings, scripts, diagnostics } = convertToTsx(text, { filename: source });
  const path = join(shadowFolder, source);
  const modules = scripts.filter(({ type }) => type === 'processed-module');
  const tsx: Shadow = {
    ...{ path: `${path}.tsx`, source, text: code, end: body.end },
    spans: mappings.map(([at, length, source_at, source_length]) => ({
      at,
      length,
      source_at,
      source_length,
    })),
  };
  return {
    shadows: [
      tsx,
      ...modules.map(({ content, position: { start } }, index) => ({
        ...{ path: `${path}.${index}.mts`, source, text: content, end: content.length },
        spans: [{ at: 0, length: content.length, source_at: start, source_length: content.length }],
      })),
    ],
    problems: diagnostics
      .filter(({ severity }) => severity === 1)
      .map(({ message, position }) => ({ path: source, ...placeAt(text, position.start), message })),
  };
}

/** What the compiler finds wrong: lines and columns count from 1. */
export interface TypeProblem {
  path: string;
  line: number;
  column: number;
  message: string;
}

/**
 * Writes the shadows of all `.astro` files of the project, and of those packages that bring theirs as source. Unchanged
 * ones stay, so that the compiler knows them.
 */
export function writeShadows(root: string): { shadows: Map<string, Shadow>; problems: TypeProblem[] } {
  const sources = globSync(['site/**/*.astro', 'node_modules/@lucide/astro/src/**/*.astro'], { cwd: root });
  const all = sources.map((source) => shadowsOf(source, readFileSync(join(root, source), 'utf8')));
  const shadows = new Map(all.flatMap((one) => one.shadows).map((one) => [one.path, one]));
  for (const { path, text } of shadows.values()) {
    const file = join(root, path);
    if (existsSync(file) && readFileSync(file, 'utf8') === text) continue;
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  for (const path of globSync(`${shadowFolder}/**/*.astro.*`, { cwd: root }))
    if (!shadows.has(path)) rmSync(join(root, path));
  return { shadows, problems: all.flatMap((one) => one.problems) };
}

/** Where a problem of a shadow is in its source; null when it is in what the converter added. */
export function inSource(problem: TypeProblem, shadow: Shadow, source_text: string): TypeProblem | null {
  const offset = offsetOf(shadow.text, problem);
  if (offset > shadow.end) return null;
  const span = shadow.spans.find(({ at, length }) => at <= offset && offset <= at + length);
  const source_at = span ? span.source_at + Math.min(offset - span.at, span.source_length) : 0;
  return { ...problem, path: shadow.source, ...placeAt(source_text, source_at) };
}

function placeAt(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset).split('\n');
  return { line: before.length, column: before.at(-1)!.length + 1 };
}

const offsetOf = (text: string, { line, column }: TypeProblem): number =>
  text
    .split('\n')
    .slice(0, line - 1)
    .join('\n').length +
  (line > 1 ? 1 : 0) +
  column -
  1;
