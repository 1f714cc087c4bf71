import { createRedactor } from '../redact/redact.ts';

/** A debug bundle: one text with all that explains the state of a server, without secrets and personal data. */

/** Most characters of one part, and of all: it is one answer of a socket. */
const max_part = 100_000;
const max_bundle = 300_000;

/** A part of the bundle: text, or values as JSON. What could not be had says why instead. */
export interface DebugPart {
  title: string;
  /** Lines, in their order. */
  lines: readonly string[];
  /** The end is what matters, as in a console. */
  newest_last?: boolean;
}

export interface BundleInput {
  parts: readonly DebugPart[];
  /** Known ones, such as the password of RCON. */
  secrets: readonly string[];
  made: Date;
}

/**
 * The text of a bundle: every part redacted by the same redactor, so that an address is the same number in all of it. Runs aside
 * (`debugBundleAside`): a server decides how long its console is and how many secrets its settings name.
 */
export function debugBundle({ parts, secrets, made }: BundleInput): string {
  const redact = createRedactor({ secrets });
  const texts = parts.map(({ title, lines, newest_last }) => {
    const text = cut(redact(lines.join('\n')), newest_last ?? false);
    return `== ${title} ==\n${text === '' ? '(nothing)' : text}\n`;
  });
  const head = `Debug bundle of a server, made by Cairn at ${made.toISOString()}.
Passwords, tokens, e-mail and IP addresses are taken out: <removed>, <e-mail>, <address-1>.
Read it before you give it to somebody: what players wrote is in the console.
`;
  return [head, ...texts].join('\n').slice(0, max_bundle);
}

function cut(text: string, fromEnd: boolean): string {
  if (text.length <= max_part) return text;
  const said = `(${text.length - max_part} more characters)`;
  return fromEnd ? `${said}\n${text.slice(-max_part)}` : `${text.slice(0, max_part)}\n${said}`;
}
