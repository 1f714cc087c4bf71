import { randomUUID } from 'node:crypto';
import { Argument, Option } from 'commander';

/**
 * A value that a command works with: one of its arguments or options, or one that nobody gives. `T` is what the command
 * gets.
 */
export interface Parameter<T> {
  /** As the help shows it; null for what nobody gives. */
  entry: Argument | Option | null;
  /** The value, by what was given for the entry. */
  read(given: unknown): T;
}

/** The values of a command by their names, arguments in their order. */
export type Takes = Record<string, Parameter<unknown>>;

/** What a command gets. */
export type Values<P extends Takes> = {
  [K in keyof P]: P[K] extends Parameter<infer T> ? T : never;
};

/** Several texts for `<name...>`; `[name]` and options may be left out. */
type TextOf<F extends string> = F extends `${string}...>` | `${string}...]`
  ? string[]
  : F extends `<${string}`
    ? string
    : string | undefined;

/** A text as it is given: an argument `<name>`, `[name]` or `<name...>`, or an option `--name <name>`. */
export const text = <F extends string>(flags: F, help: string): Parameter<TextOf<F>> => ({
  entry: entryOf(flags, help),
  read: (given) => given as TextOf<F>,
});

/** An option or a needed argument that is more than a text. `parse` refuses with `InvalidArgumentError`. */
export function parsed<T>(flags: `<${string}`, help: string, parse: (text: string) => T): Parameter<T>;
export function parsed<T>(
  flags: `-${string}`,
  help: string,
  parse: (text: string) => T,
): Parameter<T | undefined>;
export function parsed<T>(flags: string, help: string, parse: (text: string) => T): Parameter<T | undefined> {
  const entry = flags.startsWith('-')
    ? new Option(flags, help).argParser(parse)
    : new Argument(flags, help).argParser(parse);
  return { entry, read: (given) => given as T | undefined };
}

/** An option that may be given several times. */
export const repeated = <T>(
  flags: string,
  help: string,
  parse: (text: string) => T,
): Parameter<T[] | undefined> => ({
  entry: new Option(flags, help).argParser((text: string, before: T[] = []) => [...before, parse(text)]),
  read: (given) => given as T[] | undefined,
});

/** One of these texts: a needed argument, or an option. */
export function choice<const T extends string>(
  flags: `<${string}`,
  help: string,
  choices: readonly T[],
): Parameter<T>;
export function choice<const T extends string>(
  flags: `-${string}`,
  help: string,
  choices: readonly T[],
): Parameter<T | undefined>;
export function choice<const T extends string>(
  flags: string,
  help: string,
  choices: readonly T[],
): Parameter<T | undefined> {
  const entry = entryOf(flags, help);
  entry.choices([...choices]);
  return { entry, read: (given) => given as T | undefined };
}

/** Whether an option is given; `--no-name`: whether it is not. */
export const flag = (flags: string, help: string): Parameter<boolean> =>
  otherwise(either(flags, help), false);

/** Whether an option is given: undefined when neither it nor its negation is. */
export const either = (flags: string, help: string): Parameter<boolean | undefined> => ({
  entry: new Option(flags, help),
  read: (given) => given as boolean | undefined,
});

/** `--no-name` beside `--name`, whose value it changes. */
export const negation = (flags: string, help: string): Parameter<undefined> => ({
  entry: new Option(flags, help),
  read: () => undefined,
});

/** An option that must be given. */
export function required<T>(parameter: Parameter<T | undefined>): Parameter<T> {
  if (parameter.entry instanceof Option) parameter.entry.makeOptionMandatory();
  return parameter as Parameter<T>;
}

/** With a value for when nothing is given, which the help shows. */
export function usually<T>(parameter: Parameter<T | undefined>, value: NoInfer<T>): Parameter<T> {
  parameter.entry?.default(value);
  return parameter as Parameter<T>;
}

/** With a value for when nothing is given, which the help does not show. */
export const otherwise = <T, const U>(
  { entry, read }: Parameter<T | undefined>,
  value: U,
): Parameter<T | U> => ({ entry, read: (given) => read(given) ?? value });

/** The same each time. */
export const fixed = <const T>(value: T): Parameter<T> => ({ entry: null, read: () => value });

/** What makes a request that is sent twice one order. */
export const op_id: Parameter<string> = { entry: null, read: () => randomUUID() };

export const server_id = text('<id>', 'ID of the server');
/** The same where other things have IDs too. */
export const server = text('<server>', 'ID of the server');
export const json = flag('--json', 'as JSON');
export const wait = flag('--wait', 'wait until it is done');

/** Those that were given. */
export const given = <V extends object>(values: V): Partial<V> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<V>;

function entryOf(flags: string, help: string): Argument | Option {
  return flags.startsWith('-') ? new Option(flags, help) : new Argument(flags, help);
}
