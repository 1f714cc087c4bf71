import { AsyncLocalStorage } from 'node:async_hooks';

/** Network of the client of the current request (an IPv4 address or an IPv6 /64); undefined outside a request. */
export const requestNetwork = new AsyncLocalStorage<string>();
