import { expect, it } from 'vitest';
import { analyseLogs } from '../crashes/analyse.ts';
import { crashRules } from '../crashes/data/causes.ts';
import { patterns } from './patterns.ts';
import { createRedactor } from './redact.ts';

/**
 * Text of strangers is read in linear time: one mebibyte of what a pattern looks for, or nearly so, takes at most twelve times as
 * long as an eighth of it. The texts are made of the pattern's own letters, since those make it begin again and again.
 */
const large = 1024 * 1024;
const small = large / 8;
/** Eight would be exactly linear. */
const most_times = 12;

/** Texts that a pattern says itself, such as `eyJ` and `://`, alone and with what may stand between. */
function seeds(source: string): string[] {
  const literals = source.match(/[A-Za-z_:/.@=-]{2,}/g) ?? [];
  const plain = literals.map((one) => one.replaceAll('\\', ''));
  return [...new Set(plain)].flatMap((one) => [`-${one}`, `${one}="`]);
}

/** As bytes that arrived: a repeated string would be put together only when it is read. */
const of = (seed: string, length: number): string =>
  Buffer.from(seed.repeat(Math.ceil(length / seed.length)).slice(0, length)).toString();

/** Processor time of this thread in milliseconds: other programs of a busy machine do not count. */
function cost(work: () => unknown): number {
  const began = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(began);
  return (user + system) / 1000;
}

/** How many times as long the large text takes; measured again, and the least taken, where it seems too long. */
function timesOf(work: (text: string) => unknown, seed: string): number {
  const [less, more] = [of(seed, small), of(seed, large)];
  let [fewest, most] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let tries = 0; tries < 25; tries += 1) {
    fewest = Math.min(
      fewest,
      cost(() => work(less)),
    );
    most = Math.min(
      most,
      cost(() => work(more)),
    );
    // what takes less than this is not measured well, and harms nobody
    if (most < harmless_ms || most / fewest <= most_times) break;
  }
  return most < harmless_ms ? 0 : most / fewest;
}
const harmless_ms = 60;

const slowOf = (work: (text: string) => unknown, seeds: readonly string[]): string[] =>
  seeds.flatMap((seed) => {
    const times = timesOf(work, seed);
    return times > most_times ? [`${JSON.stringify(seed)}: ${times.toFixed(1)} times`] : [];
  });

const words = [
  'password',
  'secret',
  'token',
  'api_key',
  'authorization',
  'bearer ',
  '/login ',
  'eyJ',
  '::',
  '1.',
  'a@',
  '-----BEGIN ',
];
const sources = [
  ...patterns.secrets.map(({ pattern }) => pattern),
  patterns.email,
  patterns.ipv4,
  patterns.groups,
];
const texts = [
  ...new Set([
    ...words.flatMap((word) => seeds(word)),
    ...words,
    ...sources.flatMap(({ source }) => seeds(source)),
  ]),
];

it('a redactor takes linear time with whatever is repeated', () => {
  expect(slowOf(createRedactor({ secrets: ['hunter2hunter2'] }), texts)).toEqual([]);
}, 120_000);

it('a log is analysed in linear time with whatever is repeated', () => {
  const literals = crashRules.flatMap(({ patterns: all }) => all.map(({ has }) => `${has}\n`));
  expect(slowOf((text) => analyseLogs([{ path: null, text }]), [...new Set(literals)])).toEqual([]);
}, 120_000);

it('notices what is not linear', () => {
  const squared = (text: string) => {
    let sum = 0;
    for (let at = 0; at < text.length; at += 65_536) sum += text.slice(at).split('-').length;
    return sum;
  };
  expect(slowOf(squared, ['-eyJ'])).toHaveLength(1);
}, 120_000);
