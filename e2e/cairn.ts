import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const port = process.env.E2E_PORT ?? '4390';

/** The cairn command for the product under test. */
export async function cairn(...args: string[]): Promise<string> {
  const env = { ...process.env, DATA_DIR: '.tmp/e2e', PORT: port };
  const { stdout } = await promisify(execFile)(process.execPath, ['bin/cairn.mjs', ...args], { env });
  return stdout.trim();
}
