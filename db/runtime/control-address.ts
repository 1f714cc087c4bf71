import { join } from 'node:path';
import { socketFolder } from '../private-folder.ts';
import type { Settings } from './env.ts';

/** The unix socket the control plane listens on, unless CONTROL_URL names an address. */
export function controlAddress({ CONTROL_URL, DATA_DIR }: Settings): { socketPath: string } | { url: URL } {
  if (CONTROL_URL?.startsWith('http')) return { url: new URL(CONTROL_URL) };
  return { socketPath: CONTROL_URL?.slice('unix:'.length) ?? join(socketFolder(DATA_DIR), 'control.sock') };
}
