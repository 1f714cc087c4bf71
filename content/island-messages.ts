import { IntlMessageFormat } from 'intl-messageformat';
import type { MessageKey } from './keys.ts';
import { type Messages, messageKeys, messageText } from './messages.ts';

/** Letters; a value by its name; 0, the number of the plural around it; or a choice by the plural form of a value. */
type Piece =
  | string
  | 0
  | readonly [name: string]
  | readonly [name: string, forms: Record<string, MessageParts>];
/** A text that was parsed already, so that no parser travels. */
export type MessageParts = string | readonly Piece[];

/** The texts of one island or script in the language of the page. It goes to browsers as a property or an attribute. */
export interface IslandMessages<Prefix extends string = string> {
  /** What `Intl` gets for this language. */
  formatting: string;
  texts: Readonly<Record<string, MessageParts>>;
  /** What its reader may ask for; there is no value. */
  readonly prefix?: Prefix;
}
/** The keys that begin with one of the prefixes; a whole key is a prefix too. */
export type IslandKey<Prefix extends string> = Extract<MessageKey, `${Prefix}${string}`>;

type Parsed = ReturnType<IntlMessageFormat['getAst']>;
/** The parser's numbers for what our texts consist of. */
const types = { literal: 0, argument: 1, plural: 6, pound: 7 } as const;

const made = new Map<string, IslandMessages>();

/**
 * All texts whose keys begin with one of `prefixes`: no catalogue travels. Refuses, as an error, a text with more in it
 * than values and cardinal plurals.
 */
export function islandMessages<const Prefix extends string>(
  { locale, formatting }: Messages,
  ...prefixes: readonly Prefix[]
): IslandMessages<Prefix> {
  const name = [locale, ...prefixes].join(' ');
  const known = made.get(name);
  if (known) return known as IslandMessages<Prefix>;
  const keys = messageKeys.filter((key) => prefixes.some((prefix) => key.startsWith(prefix)));
  const texts = Object.fromEntries(keys.map((key) => [key, partsOf(messageText(locale, key), formatting)]));
  const island: IslandMessages<Prefix> = { formatting, texts };
  made.set(name, island);
  return island;
}

const partsOf = (text: string, formatting: string): MessageParts =>
  written(new IntlMessageFormat(text, formatting, undefined, { ignoreTag: true }).getAst());

function written(parsed: Parsed): MessageParts {
  const pieces = parsed.map(pieceOf);
  return pieces.every((piece) => typeof piece === 'string') ? pieces.join('') : pieces;
}

function pieceOf(part: Parsed[number]): Piece {
  if (part.type === types.literal) return part.value;
  if (part.type === types.argument) return [part.value];
  if (part.type === types.pound) return 0;
  if (part.type === types.plural && part.pluralType === 'cardinal' && part.offset === 0) {
    const forms = Object.entries(part.options).map(([form, { value }]) => [form, written(value)] as const);
    return [part.value, Object.fromEntries(forms)];
  }
  throw new Error(`a text for a browser holds only values and plurals: ${JSON.stringify(part)}`);
}
