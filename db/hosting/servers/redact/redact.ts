import { ipv6In, namesNobody } from './addresses.ts';
import { withoutNamedSecrets } from './named-secrets.ts';
import { patterns } from './patterns.ts';
import { removed } from './removed.ts';

/**
 * Takes secrets and personal data out of texts about a server before somebody else reads them: logs, settings, events.
 */

/** The shortest known secret that is looked for: a shorter one would take words out of every line. */
const shortest_secret = 4;
/** A server has a few; more are what somebody wrote to keep others waiting. Their names still give them away. */
const max_secrets = 100;
const max_passes = 4;

interface RedactOptions {
  /** Secrets that are known, such as the password of RCON: removed wherever they are. */
  secrets?: readonly string[];
}

/**
 * A function that redacts texts which belong together. Passwords, tokens, keys and what was typed after commands such as
 * `/login` become `<removed>`, e-mail addresses `<e-mail>`, and IP addresses `<address-1>`, `<address-2>`: the same address
 * is the same number in all of its texts. Addresses of this machine, such as 127.0.0.1, stay.
 * Redacting twice changes nothing. Takes linear time.
 */
export function createRedactor({ secrets = [] }: RedactOptions = {}): (text: string) => string {
  const known = [...new Set(secrets)]
    .filter(({ length }) => length >= shortest_secret)
    .sort((a, b) => b.length - a.length)
    .slice(0, max_secrets);
  const numbers = new Map<string, number>();
  const addressName = (address: string): string => {
    const key = address.toLowerCase();
    const number = numbers.get(key) ?? numbers.size + 1;
    numbers.set(key, number);
    return `<address-${number}>`;
  };
  const withoutAddresses = (text: string): string =>
    text
      .replace(patterns.ipv4, (found) => (namesNobody(found) ? found : addressName(found)))
      .replace(patterns.groups, (found, at: number, whole: string) => {
        const ipv6 = ipv6In(
          found,
          whole.slice(Math.max(0, at - 1), at),
          whole.slice(at + found.length, at + found.length + 2),
        );
        return ipv6 ? ipv6.before + addressName(ipv6.address) + ipv6.after : found;
      });
  const once = (text: string): string => {
    let clean = text;
    for (const secret of known) clean = clean.replaceAll(secret, removed);
    for (const { pattern, by } of patterns.secrets) clean = clean.replace(pattern, by);
    return withoutAddresses(withoutNamedSecrets(clean).replace(patterns.email, '<e-mail>'));
  };
  return (text) => {
    let clean = text;
    // what is taken out may show where something else begins
    for (let pass = 0; pass < max_passes; pass += 1) {
      const before = clean;
      clean = once(before);
      if (clean === before) break;
    }
    return clean;
  };
}
