import { useEffect } from 'react';
import { $connection } from '../panel.store.ts';

/** Loads something with each connection of the panel. */
export function useWithConnection(load: () => Promise<void>): void {
  useEffect(
    () =>
      $connection.subscribe((state) => {
        if (state === 'open') void load();
      }),
    [load],
  );
}
