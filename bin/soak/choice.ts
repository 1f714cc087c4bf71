import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { UserError } from '../user-error.ts';
import { type SoakPart, soakParts } from './parts.ts';

/** What was asked of `npm run soak`. */
export interface SoakChoice {
  parts: readonly SoakPart[];
  seed: number;
  /** Null: each test its usual number. */
  operations: number | null;
  /** For all parts together. */
  minutes: number;
}

/** Longer than all parts usually take, and short enough for a night. */
const usual_minutes = 300;

const usage = `npm run soak [-- PART ...] [--seed N] [--operations N] [--minutes N]
npm run soak -- --list`;

/** What `--list` prints. */
export function listLines(): string[] {
  const width = Math.max(...soakParts.map(({ name }) => name.length));
  const lines = soakParts.map(({ name, minutes, about, counts }) => {
    const size = counts ? `; --operations: ${counts.what}, usually ${counts.usual}` : '';
    return `${name.padEnd(width)}  at most ${String(minutes).padStart(3)} min  ${about}${size}`;
  });
  return [...lines, usage];
}

/** Reads the arguments; null when the parts should be listed. Throws a `UserError` for what is wrong with them. */
export function soakChoice(args: readonly string[]): SoakChoice | null {
  const { values, positionals } = parsed(args);
  if (values.list) return null;
  const unknown = positionals.filter((name) => !soakParts.some((part) => part.name === name));
  if (unknown.length > 0)
    throw new UserError(
      `There is no part ${unknown.join(', ')}. The parts are: ${soakParts.map(({ name }) => name).join(', ')}.`,
    );
  return {
    parts: soakParts.filter(({ name }) => positionals.length === 0 || positionals.includes(name)),
    seed: number('seed', values.seed, 2 ** 31 - 1) ?? randomInt(2 ** 31),
    operations: number('operations', values.operations, 99_999),
    minutes: number('minutes', values.minutes, 10_000) ?? usual_minutes,
  };
}

function parsed(args: readonly string[]) {
  const text = { type: 'string' as const };
  const options = { seed: text, operations: text, minutes: text, list: { type: 'boolean' as const } };
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options });
  } catch (error) {
    throw new UserError(`${(error as Error).message}\n${usage}`);
  }
}

function number(name: string, text: string | undefined, max: number): number | null {
  if (text === undefined) return null;
  const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  const min = name === 'seed' ? 0 : 1;
  if (value >= min && value <= max) return value;
  throw new UserError(`--${name} ${text}: it must be a number from ${min} to ${max}.`);
}
