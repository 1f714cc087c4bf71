import { atom } from 'nanostores';
import type { FoundServers, StaffServer } from '#db/hosting/servers/staff/view.ts';
import type { ServerView } from '#db/hosting/servers/view.ts';
import { askStaff, openStaffPage } from '../nodes/staff.store.ts';

/** The servers of one page of a search, kept up to date. */
export const $found = atom<FoundServers | null>(null);

type Search = Parameters<typeof askStaff<'server.search'>>[1];

/** Shows `first` and connects; call once per page. */
export function openServers(first: FoundServers, search: Search): void {
  if ($found.get() === null) $found.set(first);
  openStaffPage(
    (socket) =>
      socket.on('servers', ({ servers, gone }) => {
        const fresh = new Map(servers.map((one) => [one.server.id, one]));
        change((one) => (gone.includes(one.server.id) ? [] : [fresh.get(one.server.id) ?? one]));
      }),
    async () => {
      const result = await askStaff('server.search', search);
      if (result.ok) $found.set(result.data);
      return result.ok;
    },
  );
}

function change(how: (one: StaffServer) => readonly StaffServer[]): void {
  const found = $found.get();
  if (found) $found.set({ ...found, servers: found.servers.flatMap(how) });
}

/** Shows a server as a request answered it. */
export const showServer = (server: ServerView): void =>
  change((one) => [one.server.id === server.id ? { ...one, server } : one]);
