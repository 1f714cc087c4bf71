import { existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { inSource, shadowFolder, type TypeProblem, writeShadows } from './astro-shadows.ts';
import { root } from './install.mjs';
import { type Ran, run } from './run.ts';

/**
 * The types of all code. TypeScript's native compiler does not read `.astro` files yet, and `astro check`, which runs
 * the older one, took twelve times as long: so it gets them as TSX (`astro-shadows.ts`), made by the converter of Astro's
 * language server. What was checked before and did not change is not checked again, unless `fresh`.
 */
export async function checkTypes({ fresh = false }: { fresh?: boolean } = {}): Promise<Ran> {
  if (fresh) rmSync(join(root, shadowFolder, 'tsbuildinfo'), { force: true });
  const began = Date.now();
  const seconds = () => (Date.now() - began) / 1000;
  const content = await writeContentTypes();
  if (content.code !== 0) return content;
  const { shadows, problems } = writeShadows(root);
  const compiler = join(root, 'node_modules/typescript-7/bin/tsc');
  const args = [compiler, '--project', 'tsconfig.types.json', '--pretty', 'false', '--checkers', '2'];
  // collecting garbage less often costs memory that a compiler has for a minute only
  const { code, output } = await run(process.execPath, args, {
    quiet: true,
    env: { GOGC: '300', GOMEMLIMIT: '10GiB' },
  });
  const found = problemsIn(output).map((problem) => {
    const shadow = shadows.get(problem.path);
    return shadow ? inSource(problem, shadow, readFileSync(join(root, shadow.source), 'utf8')) : problem;
  });
  const all = [...problems, ...found.filter((problem) => problem !== null)];
  const isFine = all.length === 0 && (code === 0 || /error TS\d/.test(output));
  return {
    code: isFine ? 0 : 1,
    output: all.length > 0 ? all.map(problemLine).join('\n') : output,
    seconds: seconds(),
  };
}

/** Writes the types of the content collections unless they are of what is there; a build writes them as well. */
export async function writeContentTypes(): Promise<Ran> {
  if (hasContentTypes()) return { code: 0, output: '', seconds: 0 };
  return await run('astro', ['sync'], { quiet: true, env: { ASTRO_TELEMETRY_DISABLED: '1' } });
}

/** Whether the types of the content collections were written since what they come from last changed. */
function hasContentTypes(): boolean {
  const written = join(root, '.astro/types.d.ts');
  const sources = ['site/content.config.ts', 'content/front-matter.ts', 'astro.config.mjs'];
  return (
    existsSync(written) &&
    sources.every((path) => statSync(join(root, path)).mtimeMs < statSync(written).mtimeMs)
  );
}

/** Pages may return at their top, and an element of HTML may repeat an attribute; as in Astro's language server. */
const allowed_in_astro = new Set(['TS1108', 'TS17001', 'TS1208']);

/** What is wrong by the output of the compiler. Lines that are indented belong to the one before. */
export function problemsIn(output: string): TypeProblem[] {
  const problems: TypeProblem[] = [];
  for (const line of output.split('\n')) {
    const { path, row, column, code, text } =
      /^(?<path>.+?)\((?<row>\d+),(?<column>\d+)\): error (?<code>TS\d+): (?<text>.*)$/.exec(line)?.groups ??
      {};
    const last = problems.at(-1);
    if (path && code)
      problems.push({ path, line: Number(row), column: Number(column), message: `${code}: ${text}` });
    else if (last && /^\s+\S/.test(line)) last.message += `\n${line}`;
  }
  return problems.filter(
    ({ path, message }) =>
      !path.startsWith(shadowFolder) || !allowed_in_astro.has(message.slice(0, message.indexOf(':'))),
  );
}

const problemLine = ({ path, line, column, message }: TypeProblem): string =>
  `${path}:${line}:${column}: ${message}`;
