import { analyseLogs } from '../crashes/analyse.ts';
import type { Finding } from '../crashes/view.ts';
import { createRedactor } from '../redact/redact.ts';
import { max_shared_bytes } from './rules.ts';

/** What Postgres and browsers can show: lines, tabs and colours go, everything else stays. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const noise = /\u001b\[[0-9;:]{0,40}[A-Za-z]|[\u0000-\u0008\u000b-\u001f\u007f]/g;

export interface SharedText {
  name: string;
  text: string;
  findings: Finding[];
}

/**
 * A log as it is shared: its name and text without secrets and addresses, the last mebibyte in whole lines, and what may be wrong
 * in it. `secrets` are those that are known of the server.
 */
export function sharedText({
  name,
  text,
  secrets,
}: {
  name: string;
  text: string;
  secrets: readonly string[];
}): SharedText {
  const stored = lastBytes(
    createRedactor({ secrets })(text.toWellFormed().replace(/\r\n?/g, '\n').replace(noise, '')),
  );
  const findings = analyseLogs([{ path: name || null, text: stored }]);
  return { name: createRedactor({ secrets })(name), text: stored, findings };
}

function lastBytes(text: string): string {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length <= max_shared_bytes) return text;
  const end = bytes.subarray(bytes.length - max_shared_bytes);
  return new TextDecoder().decode(end.subarray(end.indexOf(0x0a) + 1));
}
