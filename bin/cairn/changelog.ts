import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import {
  type ChangeGroup,
  changelogProducts,
  isChangelogProduct,
  isDay,
  onlyDay,
  problemLine,
  problemsOfText,
} from '#content/changelog-entries.ts';
import { changelogFrontMatter } from '#content/front-matter.ts';
import { contentProblems } from '../check-content.ts';
import { root } from '../install.mjs';
import { UserError } from '../user-error.ts';
import { entryText } from './changelog-entry.ts';

interface AddOptions {
  product: string;
  date: string;
  added?: string[];
  changed?: string[];
  fixed?: string[];
  body?: string;
  title?: string;
  version?: string;
  append?: boolean;
}

/** `changelog`: the entries of `content/changelog`, which the next build publishes. `now`: gives the time. */
export function changelogCommands(
  program: Command,
  content = join(root, 'content'),
  now = () => new Date(),
): void {
  const changelog = program.command('changelog').description('Writes and checks entries of the changelog.');
  const each = (text: string, before: string[] = []) => [...before, text];
  changelog
    .command('add')
    .description('Writes what changed on a day; prints the file. The next build publishes it.')
    .requiredOption('--product <name>', changelogProducts.join(', '))
    .option('--date <day>', 'YYYY-MM-DD in UTC; not in the future', onlyDay(now()))
    .option('--added <text>', 'something new; repeatable', each)
    .option('--changed <text>', 'something that is different now; repeatable', each)
    .option('--fixed <text>', 'something that works now; repeatable', each)
    .option(
      '--body <file>',
      'Markdown with paragraphs and ## Added, ## Changed, ## Fixed; - reads standard input',
    )
    .option('--title <text>', 'what matters most')
    .option('--version <label>', 'of the product')
    .option('--append', 'add to the entry of that day if there is one')
    .action((options: AddOptions) => console.log(addEntry(options, join(content, 'changelog'), now())));
  changelog
    .command('check')
    .description('Names all mistakes in content/changelog with file and line.')
    .action(() => refuse(contentProblems(content).filter((line) => line.startsWith('content/changelog/'))));
}

/** Writes an entry and gives the path of its file; a `UserError` says what is wrong, and then nothing is written. */
function addEntry(options: AddOptions, folder: string, now: Date): string {
  const { product, date, title, version, append } = options;
  if (!isChangelogProduct(product))
    throw new UserError(`There is no product “${product}”. Choose ${changelogProducts.join(', ')}.`);
  if (!isDay(date)) throw new UserError(`“${date}” is not a day. Write it as YYYY-MM-DD.`);
  if (date > onlyDay(now)) throw new UserError(`${date} is in the future: it is ${onlyDay(now)} in UTC.`);
  for (const { path, message } of changelogFrontMatter.safeParse({ title, version }).error?.issues ?? [])
    throw new UserError(`--${path.join('.')}: ${message}`);
  const name = `${product}/${date}.md`;
  const file = join(folder, name);
  const existing = existsSync(file) ? readFileSync(file, 'utf8') : undefined;
  if (existing !== undefined && !append)
    throw new UserError(`${file} exists. Add --append to add to it, or edit it.`);
  if (existing !== undefined && (title !== undefined || version !== undefined))
    throw new UserError(`${file} exists: change its title and version there.`);
  if (existing !== undefined) refuse(problemsOfText(name, existing).map(problemLine));
  const text = entryText(
    { title, version, changes: changesOf(options), body: bodyOf(options.body) },
    existing,
  );
  refuse(problemsOfText(name, text).map(problemLine));
  mkdirSync(join(folder, product), { recursive: true });
  writeFileSync(file, text);
  return file;
}

function changesOf({ added = [], changed = [], fixed = [] }: AddOptions): Record<ChangeGroup, string[]> {
  if ([...added, ...changed, ...fixed].some((text) => text.trim() === ''))
    throw new UserError('A change is empty. Say what changed.');
  if (added.length + changed.length + fixed.length > 100)
    throw new UserError('An entry takes 100 changes at once.');
  return { Added: added, Changed: changed, Fixed: fixed };
}

/** The Markdown of `--body`, checked by itself so that its lines are named. */
function bodyOf(source: string | undefined): string {
  if (source === undefined) return '';
  if (source !== '-' && !existsSync(source)) throw new UserError(`There is no file ${source}.`);
  const body = readFileSync(source === '-' ? 0 : source, 'utf8');
  if (body.startsWith('---\n')) throw new UserError('Leave out the front matter: use --title and --version.');
  refuse(problemsOfText(source, body).map(({ file, line, problem }) => `${file}:${line}: ${problem}`));
  return body;
}

function refuse(problems: readonly string[]): void {
  if (problems.length > 0) throw new UserError(problems.join('\n'));
}
