import { fileURLToPath } from 'node:url';
import { Argument, Command, type Option } from 'commander';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import type { RequestMap } from '#control/protocol/ack.ts';
import { panelRequests } from '#control/protocol/browser.ts';
import { staffRequests } from '#control/protocol/staff.ts';
import { serverCommands } from '../server.ts';
import type { Row } from './row.ts';
import { groups, rows } from './table.ts';

type Entry = Argument | Option;
type Given = ReadonlyArray<readonly [entry: Entry, example: number]>;

const known: RequestMap = { ...panelRequests, ...staffRequests };
const operations = ['11111111-1111-4111-8111-111111111111', '21111111-1111-4111-8111-111111111111'];
/** What may be given, by what is parsed: of each the first two that are accepted are tried. */
const parsed = ['3', '4', '22:00-07:00', 'off', 'backup', 'update', 'all', 'none'];
/** An ID, a name, a code and a date; the control plane of these tests says nothing else. */
const texts = ['2026', '2027'];
const special: Record<string, string[]> = {
  action: ['start', 'stop'],
  what: ['add', 'remove'],
  values: ['2026=a', '2026=b'],
  operation: operations,
  file: ['./table.ts', './row.ts'].map((name) => fileURLToPath(new URL(name, import.meta.url))),
};
/** They write files of this machine or send bytes, or go on until they are interrupted. */
const elsewhere = /^(logs|backup download|export|icon get|icon set|debug-bundle|files (cat|get|put))$/;

const printed: unknown[] = [];
beforeAll(() => {
  vi.spyOn(console, 'log').mockImplementation((line) => void printed.push(line));
  vi.spyOn(console, 'error').mockImplementation((line) => void printed.push(line));
});
afterAll(() => vi.restoreAllMocks());

describe('the table', () => {
  it('has every command once, with help for it and for all that it takes', () => {
    expect(new Set(rows.map(({ path }) => path)).size).toBe(rows.length);
    for (const row of rows) {
      expect(row.help, row.path).toMatch(/\.$/);
      for (const entry of entriesOf(row)) expect(entry.description, row.path).not.toBe('');
    }
  });

  it('has help for the words that begin commands, and for no others', () => {
    const begun = rows.flatMap(({ path }) => {
      const words = path.split(' ');
      return words.slice(1).map((_, at) => words.slice(0, at + 1).join(' '));
    });
    expect(Object.keys(groups).sort()).toEqual([...new Set(begun)].sort());
  });
});

describe('a command sends what the control plane knows, and uses all that it takes:', () => {
  const tried = rows.filter(({ path }) => !elsewhere.test(path));
  it.each(tried.map((row) => [row.path, row] as const))('%s', async (_path, row) => {
    const entries = entriesOf(row);
    for (const entry of entries) expect(await changesSomething(row, entry, entries), entry.name()).toBe(true);
  });
});

/** Whether it matters what is given for an entry, by itself or beside one that may be left out. */
async function changesSomething(row: Row, entry: Entry, entries: readonly Entry[]): Promise<boolean> {
  const others = entries.filter((one) => one !== entry);
  const needed = others.filter(isNeeded).map((one) => [one, 0] as const);
  for (const beside of [null, ...others.filter((one) => !isNeeded(one))]) {
    const given: Given = beside ? [...needed, [beside, 0]] : needed;
    const first = await outcomeOf(row, [...given, [entry, 0]]);
    if (!isNeeded(entry) && first !== (await outcomeOf(row, given))) return true;
    if (first !== (await outcomeOf(row, [...given, [entry, 1]]))) return true;
  }
  return false;
}

const entriesOf = ({ takes }: Row): Entry[] => Object.values(takes).flatMap(({ entry }) => entry ?? []);

const isNeeded = (entry: Entry): boolean => (entry instanceof Argument ? entry.required : entry.mandatory);

/** The words of a command line that give an example. */
function wordsOf([entry, at]: Given[number]): string[] {
  if (!(entry instanceof Argument || entry.required)) return [entry.long ?? ''];
  const accepted = (text: string) => {
    try {
      entry.parseArg?.(text, '');
      return true;
    } catch {
      return false;
    }
  };
  const choices = entry.argChoices ?? special[entry.name()];
  const text = choices?.[at] ?? (entry.parseArg ? parsed.filter(accepted) : texts)[at] ?? '';
  return entry instanceof Argument ? [text] : [entry.long ?? '', text];
}

/** What a command sends, prints and ends with. */
async function outcomeOf(row: Row, given: Given): Promise<string> {
  printed.length = 0;
  const sent: unknown[] = [];
  const plane = {
    url: 'http://127.0.0.1',
    socket: { on() {} },
    async request(request: string, message: object) {
      sent.push([request, message]);
      return answerOf(request, message);
    },
  };
  const connect = async (_target: object, work: (plane: object) => Promise<void>) => await work(plane);
  const program = new Command().exitOverride().configureOutput({ writeErr: () => {} });
  serverCommands(program, { connect: connect as never, table: [row] });
  const inOrder = given.toSorted(([a], [b]) => entriesOf(row).indexOf(a) - entriesOf(row).indexOf(b));
  const words = ['server', '--token', 'x', ...row.path.split(' '), ...inOrder.flatMap(wordsOf)];
  const error = await program.parseAsync(words, { from: 'user' }).then(
    () => null,
    (reason: unknown) => String(reason),
  );
  const outcome = JSON.stringify([sent, printed, error, process.exitCode]);
  process.exitCode = undefined;
  return outcome.replace(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, (id) =>
    operations.includes(id) ? id : 'made',
  );
}

/** An answer of the right shape; a message that is not fails the test, whatever the command makes of it. */
function answerOf(request: string, message: object): object {
  const definition = known[request];
  expect.soft(definition, request).toBeDefined();
  const { error } = definition!.input.safeParse(message);
  // what the answers of these tests name is no UUID
  const issues = error?.issues.filter(({ path }) => path[0] !== 'change_id') ?? [];
  expect.soft(issues, request).toEqual([]);
  samples[request] ??= sampleOf(
    z.toJSONSchema(definition!.output, { unrepresentable: 'any' }) as unknown as Schema,
  );
  return { ok: true, ...(samples[request] as object) };
}

const samples: Record<string, unknown> = {};

interface Schema {
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
}

/** A value of a shape: all that there may be, and what is over. A backup was verified when it was listed, not before. */
function sampleOf(schema: Schema, name = ''): unknown {
  if (name === 'error') return null;
  if (name === 'backup') return { ...(sampleOf(schema) as object), verified: null };
  if (schema.enum) return schema.enum.includes('done') ? 'done' : schema.enum[0];
  const [part] = schema.anyOf ?? schema.oneOf ?? [];
  if (part) return sampleOf(part, name);
  const [type] = [schema.type].flat();
  if (type === 'array') return [sampleOf(schema.items ?? {}, name)];
  if (schema.properties)
    return Object.fromEntries(
      Object.entries(schema.properties).map(([key, one]) => [key, sampleOf(one, key)]),
    );
  if (type === 'object') return {};
  if (type === 'boolean') return true;
  if (type === 'integer' || type === 'number') return 5;
  return schema.const ?? '2026';
}
