import { AsyncLocalStorage } from 'node:async_hooks';

/** The network of the client whose request is being answered (an IPv4 address or an IPv6 /64); undefined outside of one. */
export const requestNetwork = new AsyncLocalStorage<string>();
