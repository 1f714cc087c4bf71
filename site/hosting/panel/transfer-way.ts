import { requestFrom } from '../../platform/browser/api-client.ts';

/** An address of a transfer on the site; `direct`: the same at the machine of the server, where that has a port of its own. */
export interface Ways {
  address: string;
  direct?: string | undefined;
}

/** A machine that does not say within this time that it takes our requests is not asked for a while. */
const probe_ms = 3_000;
const keep_ms = 60_000;
const known = new Map<string, { until: number; isReached: Promise<boolean> }>();

/** The faster of both ways that this browser reaches: a firewall or an older page may know the site only. */
export async function wayOf({ address, direct }: Ways): Promise<string> {
  if (!direct) return address;
  const { origin } = new URL(direct);
  const now = performance.now();
  const before = known.get(origin);
  const tried = before && now < before.until ? before : { until: now + keep_ms, isReached: probe(origin) };
  known.set(origin, tried);
  return (await tried.isReached) ? direct : address;
}

const probe = (origin: string): Promise<boolean> =>
  fetch(`${origin}/transfers`, { method: 'OPTIONS', signal: AbortSignal.timeout(probe_ms) }).then(
    ({ ok }) => ok,
    () => false,
  );

/** A request to this address had no answer: before the next one its machine is asked again. */
export const forgetWay = (address: string): void => void known.delete(URL.parse(address)?.origin ?? '');

/** The answer to a GET by the faster way; null without one. */
export async function fetchFrom(ways: Ways): Promise<Response | null> {
  const way = await wayOf(ways);
  return way === ways.address ? await requestFrom(way) : await fetch(way).catch(() => null);
}

/** Lets the browser save a file. A refusal does not leave the page. */
export async function startDownload(ways: Ways): Promise<void> {
  const way = await wayOf(ways);
  if (way === ways.address) {
    const link = Object.assign(document.createElement('a'), { href: way, download: '' });
    document.body.append(link);
    link.click();
    link.remove();
    return;
  }
  // `download` means nothing for another origin: a link would lead away from the page when it is refused
  const frame = Object.assign(document.createElement('iframe'), { hidden: true, src: way });
  frame.dataset.download = '';
  document.querySelector('iframe[data-download]')?.remove();
  document.body.append(frame);
}
