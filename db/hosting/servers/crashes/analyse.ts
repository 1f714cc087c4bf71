import { type CrashCause, crashRules } from './data/causes.ts';
import { type CrashRule, max_findings, max_line_characters, max_lines, max_log_bytes } from './rules.ts';
import type { Finding } from './view.ts';

/** Colours, and everything else that is no text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const noise = /\u001b\[[0-9;:]{0,40}[A-Za-z]|[\u0000-\u0008\u000b-\u001f\u007f]/g;

/** A text to read: of a file, or what a console said last. */
export interface LogText {
  /** Its path; null for the console. */
  path: string | null;
  text: string;
}

/** Causes that repeat in Java's own words what another one says better. */
const vague: readonly string[] = ['class_missing', 'native_crash'];

/**
 * What may be wrong, by the rules of `data/causes.ts`: the most certain first, each cause and what it is about once, at most
 * `max_findings`. Takes linear time: the last lines of each text, the begin of each line.
 */
export function analyseLogs(texts: readonly LogText[]): Finding[] {
  const found = new Map<string, { rank: number; finding: Finding }>();
  for (const { path, text } of texts) {
    const lines = text.slice(-max_log_bytes).split('\n');
    for (let index = Math.max(0, lines.length - max_lines); index < lines.length; index++) {
      const line = lines[index]!.slice(0, max_line_characters);
      const lower = line.toLowerCase();
      for (const [rank, rule] of crashRules.entries()) {
        const what = matchOf(rule, line, lower);
        if (what === null) continue;
        const key = `${rule.cause} ${what}`;
        if (found.has(key)) continue;
        found.set(key, {
          rank,
          finding: {
            ...{ cause: rule.cause as CrashCause, what, link: rule.link, path, line: index + 1 },
            excerpt: line.replace(noise, '').trim().slice(0, 300),
          },
        });
      }
    }
  }
  return select([...found.values()].sort((a, b) => a.rank - b.rank).map(({ finding }) => finding));
}

/** What a line is about by a rule: `''` when it does not name it, null when the rule does not apply. */
function matchOf({ patterns }: CrashRule, line: string, lower: string): string | null {
  for (const { has, and, take } of patterns) {
    if (!lower.includes(has) || (and && !lower.includes(and))) continue;
    return take?.exec(line)?.groups?.what?.replace(/\.$/, '') ?? '';
  }
  return null;
}

function select(findings: Finding[]): Finding[] {
  const named = new Set(findings.filter(({ what }) => what !== '').map(({ cause }) => cause));
  const certain = findings.some(({ cause }) => !vague.includes(cause));
  return findings
    .filter(({ cause, what }) => what !== '' || !named.has(cause))
    .filter(({ cause }) => !certain || !vague.includes(cause))
    .slice(0, max_findings)
    .map((finding) => (finding.cause.startsWith('java_too_') ? withJava(finding) : finding));
}

/** Versions of class files count from 45 for Java 1. */
function withJava(finding: Finding): Finding {
  const number = Number(finding.what);
  return number > 44 ? { ...finding, what: String(number - 44) } : finding;
}
