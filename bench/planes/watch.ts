import { type Installation, sockets_each } from './installation.ts';
import { Viewer } from './viewer.ts';

/** Handshakes at once: a plane takes a hundred a second from one network. */
const at_once = 10;

/** Opens `count` viewers of a server's console at a plane; `skip` leaves out accounts that are used already. */
export async function openViewers(
  { viewers }: Installation,
  { url, server_id, count, skip = 0 }: { url: string; server_id: string; count: number; skip?: number },
): Promise<Viewer[]> {
  const opened: Viewer[] = [];
  while (opened.length < count) {
    const more = Array.from({ length: Math.min(at_once, count - opened.length) }, async (_, at) => {
      const account = viewers[skip + Math.floor((opened.length + at) / sockets_each)]!;
      const viewer = await Viewer.open(url, account);
      await viewer.request('server.join', { server_id, rooms: ['console'] });
      return viewer;
    });
    opened.push(...(await Promise.all(more)));
  }
  return opened;
}

/** Closes viewers, and waits until the plane has noticed. */
export async function closeAll(viewers: readonly Viewer[]): Promise<void> {
  for (const viewer of viewers) viewer.close();
  await new Promise((done) => setTimeout(done, 500));
}
