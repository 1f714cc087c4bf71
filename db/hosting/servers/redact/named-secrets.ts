import { removed } from './removed.ts';

/** Values that stand beside a name which says that they are secret: settings, JSON, YAML, TOML, arguments of programs. */

/** Parts of names of settings whose value is a secret. */
const secretName =
  /passw(?:or)?d|passwort|passphrase|pwd|secret|token|credential|webhook|api[_.-]?key|private[_.-]?key|access[_.-]?key|auth[_.-]?key|license[_.-]?key|session[_.-]?id/i;
/** How much of the end of a name is looked at: a secret part with 60 characters on both sides. */
const judged_characters = 140;

/** A whole name: it begins where no name is before it, so each character is read once. */
const names = /(?<![\w.-])[\w.-]+/g;
/** Values that say only whether there is one, or that were removed before. */
const harmless = /(?:(?:true|false|null|none|undefined|yes|no|on|off)\b|<removed>)/iy;
const separator = /["']?\s{0,20}(?:=>|[:=])\s{0,20}/y;
const quoted = /"(?:[^"\\\r\n]|\\.){1,4000}"|'[^'\r\n]{1,4000}'/y;
/** Of a line of a settings file: to the end of the line. */
const rest_of_line = /[^\r\n]*/y;
/** Somewhere in a line: up to the next space or separator. */
const word = /[^\s"'[{,;&)}\]]+/y;
const argument = /\s{1,3}(?!-)[^\s"']+/y;
const begin_of_line = /(?:^|[\r\n])[ \t]{0,60}$/;

/** Matches a sticky pattern at a place; gives where the match ends, or null. */
function endAt(pattern: RegExp, text: string, at: number): number | null {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : null;
}

/** Replaces those values by `<removed>`. One pass over the text: takes linear time. */
export function withoutNamedSecrets(text: string): string {
  const parts: string[] = [];
  let kept = 0;
  names.lastIndex = 0;
  for (let found = names.exec(text); found; found = names.exec(text)) {
    const end = found.index + found[0].length;
    if (!secretName.test(found[0].slice(-judged_characters))) continue;
    const value = valueBeside(text, found.index, end);
    if (!value) continue;
    parts.push(text.slice(kept, value.from), value.by);
    kept = value.to;
    names.lastIndex = value.to;
  }
  return parts.length === 0 ? text : parts.join('') + text.slice(kept);
}

interface Value {
  from: number;
  to: number;
  by: string;
}

/** The secret value beside the name from `begin` to `end`; null without one. */
function valueBeside(text: string, begin: number, end: number): Value | null {
  const from = endAt(separator, text, end);
  if (from === null) return argumentOf(text, begin, end);
  const to = endAt(quoted, text, from);
  if (to !== null)
    return text.startsWith(removed, from + 1) && to === from + removed.length + 2
      ? null
      : { from, to, by: `"${removed}"` };
  if (endAt(harmless, text, from) !== null) return null;
  const before = text.slice(Math.max(0, begin - 62), begin);
  // a value on the next line is none of a settings file
  const is_setting =
    begin_of_line.test(begin < 62 ? `\n${before}` : before) && !/[\r\n]/.test(text.slice(end, from));
  if (is_setting && !/[[{|>"'\s]/.test(text[from] ?? ' ')) {
    const end_of_line = endAt(rest_of_line, text, from)!;
    return { from, to: end_of_line, by: removed };
  }
  if (before.toLowerCase().endsWith('unexpected ')) return null;
  const after = endAt(word, text, from);
  return after === null ? null : { from, to: after, by: removed };
}

function argumentOf(text: string, begin: number, end: number): Value | null {
  if (text[begin] !== '-' || !/\s/.test(text[begin - 1] ?? '')) return null;
  const to = endAt(argument, text, end);
  if (to === null) return null;
  const from = to - text.slice(end, to).trimStart().length;
  return endAt(harmless, text, from) === null ? { from, to, by: removed } : null;
}
