import { useStore } from '@nanostores/react';
import { createContext, useContext } from 'react';
import type { ServerView } from '#db/hosting/servers/view.ts';
import { $preferences } from './preferences.store.ts';
import { addressText, joinAddresses } from './state.ts';

/** What a page knows of addresses of servers before its scripts run. */
export interface AddressOptions {
  /** Below which servers have names; null where the operator offers none. */
  domain: string | null;
  /** Whether addresses are covered in this browser. */
  hidden: boolean;
}
export const AddressContext = createContext<AddressOptions>({ domain: null, hidden: false });

/** Whether addresses are covered. */
export function useHidden(): boolean {
  const { hidden } = useContext(AddressContext);
  const preferences = useStore($preferences, { ssr: 'initial' });
  return preferences ? preferences.hide_address : hidden;
}

/** The address for players, and whether it may only be copied and not be shown. */
export function useAddress(server: ServerView): { address: string | null; hidden: boolean } {
  const { domain } = useContext(AddressContext);
  return { address: addressText(server, domain), hidden: useHidden() };
}

/** Every address that players may use, a domain of its owner first, and whether they may only be copied. */
export function useAddresses(server: ServerView): { addresses: string[]; hidden: boolean } {
  const { domain } = useContext(AddressContext);
  return { addresses: joinAddresses(server, domain), hidden: useHidden() };
}
