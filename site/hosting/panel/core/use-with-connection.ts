import { useEffect } from 'react';
import { $connection, $server } from './panel.store.ts';

/** Loads something with each connection of the panel, and again when the server has been installed: it had no files. */
export function useWithConnection(load: () => Promise<void>): void {
  useEffect(() => {
    const stopConnection = $connection.subscribe((state) => {
      if (state === 'open') void load();
    });
    const stopServer = $server.listen((now, before) => {
      if (before?.state === 'installing' && now?.state !== 'installing') void load();
    });
    return () => {
      stopConnection();
      stopServer();
    };
  }, [load]);
}
