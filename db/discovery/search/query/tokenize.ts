import { stopWords } from './data/stop-words.ts';

/** Longest indexed term, in characters. Source: search §3. */
const max_token_length = 40;
/** Maximum number of words of a query. */
const max_tokens = 12;

const plain: Record<string, string> = { ß: 'ss', æ: 'ae', ø: 'o', ł: 'l', đ: 'd', ı: 'i' };
const tokensOfText = /[\p{L}\p{N}\p{M}]+/gu;
/** Scripts without spaces: their runs become bigrams. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]+/gu;

const isAscii = (text: string): boolean => {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 127) return false;
  return true;
};

/** Lower case without accents: removes only U+0300 to U+036F, so that Hangul and kana are composed again. */
export function plainText(text: string): string {
  if (isAscii(text))
    return text.includes("'")
      ? text
          .toLowerCase()
          .replace(/'s(?![a-z0-9])/g, '')
          .replaceAll("'", '')
      : text.toLowerCase();
  return text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[\u0300-\u036F]/g, '')
    .normalize('NFC')
    .replace(/[ßæøłđı]/g, (letter) => plain[letter] ?? letter)
    .replace(/['’ʼ]s(?![\p{L}\p{N}\p{M}])/gu, '')
    .replace(/['’ʼ]/g, '');
}

/** Text reduced to letters, digits and marks, for comparing titles and queries. */
export const spaceless = (text: string): string => (plainText(text).match(tokensOfText) ?? []).join('');

const cut = (term: string): string =>
  term.length <= max_token_length ? term : [...term].slice(0, max_token_length).join('');

const asciiTokens = /[a-z0-9]+/g;
const asciiCamel = /[a-z0-9][A-Z]|[A-Z]{2}[a-z]/;

const camelParts = (text: string): string =>
  text.replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2').replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2');

function pairs(run: string): string[] {
  const letters = [...run];
  if (letters.length < 2) return letters;
  return letters.slice(1).map((letter, i) => `${letters[i]}${letter}`);
}

function split(word: string): string[] {
  if (isAscii(word)) return [word];
  const terms: string[] = [];
  let from = 0;
  for (const match of word.matchAll(unspaced)) {
    if (match.index > from) terms.push(word.slice(from, match.index));
    terms.push(...pairs(match[0]));
    from = match.index + match[0].length;
  }
  if (from < word.length) terms.push(word.slice(from));
  return terms;
}

/** The words of a text in order, the same for indexing and queries. Source: search §3.1. */
export function tokens(text: string): string[] {
  // fast path: most texts are ASCII, and the index is made of a million of them
  if (isAscii(text))
    return (plainText(asciiCamel.test(text) ? camelParts(text) : text).match(asciiTokens) ?? []).map(cut);
  return (plainText(camelParts(text)).match(tokensOfText) ?? []).flatMap(split).map(cut);
}

/** The words of a text, sorted: equal for two texts with the same words in any order. */
export const sortedTokens = (text: string): string => tokens(text).sort().join(' ');

/**
 * Joined forms that users type without spaces: neighbouring words of a title, camelCase words, the whole title of
 * three or more words.
 */
export function joinedTerms(title: string): string[] {
  const found = tokens(title);
  const joined = found.slice(1).map((word, i) => `${found[i]}${word}`);
  for (const word of title.split(/\s+/)) if (tokens(word).length > 1) joined.push(spaceless(word));
  if (found.length >= 3) joined.push(spaceless(title));
  return [...new Set(joined.map(cut))].filter((term) => term !== '');
}

/** A stop word of up to this many letters may be the beginning of another word. */
const max_beginning = 4;
const dropped = new Set(Object.values(stopWords).flatMap(tokens));

/**
 * Without stop words. A short last word stays, because it may be unfinished; if nothing else would, all stay.
 */
function withoutStopWords(words: string[]): string[] {
  const unfinished = words.length - 1;
  const kept = words.filter(
    (word, i) => !dropped.has(word) || (i === unfinished && word.length <= max_beginning),
  );
  return kept.every((word) => dropped.has(word)) ? words : kept;
}

/** The words of a query: distinct, the first twelve that are no stop words. */
export const queryTokens = (text: string): string[] =>
  [...new Set(withoutStopWords(tokens(text)))].slice(0, max_tokens);

/** The forms in which a query may name a title: as typed, and without stop words if that differs. */
export function titleForms(text: string): string[] {
  const words = tokens(text);
  const kept = withoutStopWords(words);
  return kept.length === words.length ? [text] : [text, kept.join(' ')];
}

/** Whether a word is corrected for typos: 4 to 24 letters, no bigrams of scripts without spaces. */
export const mayBeMistyped = (word: string): boolean =>
  word.length >= 4 && word.length <= 24 && word.search(unspaced) < 0;
