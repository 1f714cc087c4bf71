import { join } from 'node:path';
import { socketFolder } from '../private-folder.ts';
import type { Settings } from './env.ts';

/** A unix socket, or an http address. */
export type ControlAddress = { socketPath: string } | { url: URL };
type AddressSettings = Pick<Settings, 'CONTROL_URL' | 'CONTROL_PLANES' | 'PLANE_URL' | 'DATA_DIR'>;

/** The address in a text such as `unix:/path/to/socket` or `http://host:port`. */
export const parseControlAddress = (text: string): ControlAddress =>
  text.startsWith('unix:') ? { socketPath: text.slice('unix:'.length) } : { url: new URL(text) };

/** Host and port, or socket, as `node:http` and `node:net` want them. */
export const endpointOf = (
  address: ControlAddress,
): { host: string; port: number } | { socketPath: string } =>
  'socketPath' in address
    ? address
    : {
        host: address.url.hostname.replace(/^\[|\]$/g, ''),
        port: Number(address.url.port || 80),
      };

/**
 * Where control planes listen, as the site and agents of this machine reach them: CONTROL_URL, else a unix socket for
 * each of CONTROL_PLANES.
 */
export function controlAddresses({
  CONTROL_URL,
  CONTROL_PLANES,
  DATA_DIR,
}: Omit<AddressSettings, 'PLANE_URL'>): ControlAddress[] {
  const given = CONTROL_URL.map(parseControlAddress);
  if (given.length > 0) return given;
  const name = (index: number) => (index === 0 ? 'control.sock' : `control-${index + 1}.sock`);
  return Array.from({ length: CONTROL_PLANES }, (_, index) => ({
    socketPath: join(socketFolder(DATA_DIR), name(index)),
  }));
}

/** The first of them. */
export const controlAddress = (settings: Omit<AddressSettings, 'PLANE_URL'>): ControlAddress =>
  controlAddresses(settings)[0]!;

/** Where the control plane of these settings listens and the others reach it: PLANE_URL, else the first CONTROL_URL. */
export const planeAddress = (settings: AddressSettings): ControlAddress =>
  settings.PLANE_URL ? parseControlAddress(settings.PLANE_URL) : controlAddress(settings);

/** The address as text, as `parseControlAddress` reads it. */
export const addressText = (address: ControlAddress): string =>
  'url' in address ? address.url.origin : `unix:${address.socketPath}`;
