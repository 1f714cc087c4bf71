/** IP addresses in texts; without Node, so that a page can redact too. */

const isGroup = (text: string): boolean => /^[\da-f]{1,4}$/i.test(text);

/** Whether `text` is an IPv6 address, written in hexadecimal groups. */
function isIpv6(text: string): boolean {
  const halves = text.split('::');
  if (halves.length > 2) return false;
  const groups = halves.flatMap((half) => (half === '' ? [] : half.split(':')));
  if (!groups.every(isGroup)) return false;
  return halves.length === 2 ? groups.length < 8 : groups.length === 8;
}

/** Whether an address means this machine, or any: it names nobody. */
export const namesNobody = (address: string): boolean =>
  /^(?:127\.|0\.0\.0\.0$|255\.255\.255\.\d+$)/.test(address) || /^[0:]*:[01]?$/.test(address);

/** What may follow an address: nothing, a colon, a port, a port and a colon. */
const cuts = [/$/, /:$/, /:\d{1,5}$/, /:\d{1,5}:$/];

/**
 * The IPv6 address in a run of hexadecimal digits and colons, with the port or colon around it; null when there is none, or it
 * names nobody. `previous` and `next` are what stands around the run: `Block::a` is none.
 */
export function ipv6In(
  run: string,
  previous: string,
  next: string,
): { before: string; address: string; after: string } | null {
  const found = cuts
    .flatMap((cut) => {
      const after = cut.exec(run)?.[0] ?? '';
      const rest = run.slice(0, run.length - after.length);
      return [
        { before: '', address: rest, after },
        { before: rest.slice(0, 1), address: rest.slice(1), after },
      ];
    })
    .find(
      ({ before, address }) => (before === '' || before === ':') && isIpv6(address) && !namesNobody(address),
    );
  if (!found) return null;
  const isShort = found.address.includes('::');
  if (isShort && (/\w/.test(previous) || /^(?:[\w.]|<a)/.test(next))) return null;
  return found;
}
