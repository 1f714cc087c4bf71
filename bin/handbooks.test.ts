import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { refusals } from '#db/platform/errors.ts';
import { errorsPath, groupPath, groups } from '#site/discovery/docs/reference/groups.ts';
import { cairnProgram } from './cairn/program.ts';
import { handbookPages, shellBlocks } from './handbooks.ts';
import { root } from './install.mjs';
import { allSettings } from './settings-handbook.ts';

const pages = handbookPages();
const program = await cairnProgram();

/** A mention of `cairn` in a page: its words after the name, up to the end of the line or of the code. */
interface Mention {
  page: string;
  words: string[];
}

/** In shell code; elsewhere commands are written `cairn ...`. */
const invocation = /(?:npm run (?:-s )?cairn --|node bin\/cairn\.ts) ([^|\n;>#&)]*)/g;

function mentions(): Mention[] {
  return pages.flatMap(({ path: page, body }) => {
    const called = [...shellBlocks(body).map(({ text }) => text), ...inlineCode(body)].flatMap((code) =>
      [...code.replaceAll('\\\n', ' ').matchAll(invocation)].map(([, rest]) => rest!),
    );
    const named = inlineCode(body).flatMap((code) => (code.startsWith('cairn ') ? [code.slice(6)] : []));
    return [...called, ...named].map((text) => ({ page, words: text.trim().split(/\s+/) }));
  });
}

const inlineCode = (body: string): string[] =>
  [...body.replace(/^ *(```|~~~)[\s\S]*?^ *\1/gm, '').matchAll(/`([^`]+)`/g)].map(([, code]) => code!);

/** The command that `words` call and the rest of them; null when they name none. */
function commandOf(words: readonly string[]): { command: Command; rest: readonly string[] } | null {
  let command: Command = program;
  let at = 0;
  for (; at < words.length; at++) {
    const next = command.commands.find((one) => one.name() === words[at]);
    if (!next) break;
    command = next;
  }
  return at === 0 && words[0] !== '--help' ? null : { command, rest: words.slice(at) };
}

const flagsOf = (command: Command): string[] => [
  '--help',
  ...command.options.map(({ long }) => long ?? ''),
  ...(command.parent ? flagsOf(command.parent) : []),
];

/** Every command that does something, as it is called. */
function leaves(command: Command, above: string[] = []): string[] {
  const name = [...above, command.name()];
  const below = command.commands.filter((one) => one.name() !== 'help');
  return below.length === 0 ? [name.join(' ')] : below.flatMap((one) => leaves(one, name));
}

describe('what handbooks say about commands', () => {
  it.each(mentions())('$page: cairn $words exists, with its options', ({ words }) => {
    const found = commandOf(words);
    expect(found, 'there is no such command').not.toBeNull();
    const { command, rest } = found!;
    if (command.commands.length > 0) expect(rest.filter((word) => !word.startsWith('-'))).toEqual([]);
    const flags = rest.filter((word) => word.startsWith('--')).map((word) => word.split('=')[0]);
    expect(flagsOf(command)).toEqual(expect.arrayContaining(flags));
  });

  it('lists every command of cairn with all its options', () => {
    const { body } = pages.find(({ path }) => path.endsWith('operators/commands.md'))!;
    for (const name of leaves(program)) {
      const line = body.split('\n').find((one) => one.includes(`| \`${name}\` |`));
      expect(line, `${name} is missing in commands.md`).toBeDefined();
      const { command } = commandOf(name.split(' ').slice(1))!;
      for (const { long } of command.options) expect(line, name).toContain(`\`${long}\``);
    }
  });

  it('names every file that operators copy, and no other', () => {
    const named = pages.flatMap(({ body }) => body.match(/\bdeploy\/[\w./-]*\w/g) ?? []);
    const files = readdirSync(join(root, 'deploy'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name !== 'README.md')
      .map(({ parentPath, name }) => relative(root, join(parentPath, name)));
    expect([...new Set(named)].sort()).toEqual(files.sort());
  });

  it('names only scripts of package.json', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: object };
    for (const { path, body } of pages)
      for (const [, name = ''] of body.matchAll(/\bnpm run (?:-s )?([a-z]+)/g))
        expect([path, Object.hasOwn(scripts, name) ? 'known' : name]).toEqual([path, 'known']);
  });
});

/** Names in capitals that are no settings of Cairn: values, placeholders and names of other programs. */
const others = new Set(
  'HEAD GET POST PATCH DELETE PUT SIGTERM END ID HASH NAME TOKEN MIT OR NODE_ENV NODE_EXTRA_CA_CERTS CAIRN_TOKEN POSTGRES_PASSWORD SITE_POSTGRES_PASSWORD PLANE_POSTGRES_PASSWORD PGPASSFILE DOCKER_HOST UID_MAX'.split(
    ' ',
  ),
);

describe('what handbooks say about settings', () => {
  it('names only settings that exist', () => {
    for (const { path, body } of pages.filter(({ path }) => path.includes('operators/'))) {
      const named = [...body.matchAll(/(?<![\w$./-])([A-Z][A-Z0-9_]{3,})(?==|`)/g)].map(([, name]) => name!);
      const unknown = named.filter(
        (name) => !Object.hasOwn(allSettings, name) && !others.has(name) && !isScope(name),
      );
      expect([path, unknown]).toEqual([path, []]);
    }
  });
});

/** Scopes and permissions are in capitals too. */
const isScope = (name: string): boolean => /^STAFF$|_(CREATE|READ|WRITE|DELETE)$/.test(name);

describe('pages of handbooks', () => {
  it.each(pages)('$path links only to pages and headings that exist', ({ path, body }) => {
    for (const [, to = ''] of body.matchAll(/\]\((\/docs[^)]*)\)/g)) {
      const [address, fragment] = to.split('#');
      const target = pages.find((page) => page.address === address);
      const isGenerated = ['/docs', '/docs/api', errorsPath, ...groups.map(groupPath)].includes(address!);
      expect([path, to, target !== undefined || isGenerated]).toEqual([path, to, true]);
      if (fragment && address === errorsPath) expect(Object.keys(refusals)).toContain(fragment);
      else if (fragment) expect([to, target!.anchors]).toEqual([to, expect.arrayContaining([fragment])]);
    }
  });
});
