import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { compileCache } from '../bin/install.mjs';

const port = process.env.E2E_PORT ?? '4390';

/** The cairn command for the product under test, without the check for missing packages before it. */
export async function cairn(...args: string[]): Promise<string> {
  const env = { ...process.env, DATA_DIR: '.tmp/e2e', PORT: port, NODE_COMPILE_CACHE: compileCache };
  const { stdout } = await promisify(execFile)(process.execPath, ['bin/cairn.ts', ...args], { env });
  return stdout.trim();
}
