import { AsyncLocalStorage } from 'node:async_hooks';
import { afterAll, beforeAll, vi } from 'vitest';
import type { RentedServer } from '#control/testing/plane.ts';
import { cairnProgram } from '../cairn/program.ts';
import { UserError } from '../user-error.ts';

/** What a command printed, and its exit code. */
interface Printed {
  code: number;
  out: string;
  errors: string;
}

/**
 * Runs `cairn server WORDS` in this process, as the owner of a server of the control plane; several may run at the same time.
 * Call once for each test file.
 */
export function serverCommand(plane: { url: string }) {
  const printed = new AsyncLocalStorage<{ out: string[]; errors: string[] }>();
  beforeAll(() => {
    vi.spyOn(console, 'log').mockImplementation((text) => void printed.getStore()?.out.push(text));
    vi.spyOn(console, 'error').mockImplementation((text) => void printed.getStore()?.errors.push(text));
  });
  afterAll(() => vi.restoreAllMocks());
  return ({ key }: Pick<RentedServer, 'key'>, ...words: string[]): Promise<Printed> =>
    printed.run({ out: [], errors: [] }, async () => {
      const program = await cairnProgram('server');
      const { out, errors } = printed.getStore()!;
      const ended = (code: number) => ({ code, out: out.join('\n'), errors: errors.join('\n') });
      try {
        await program.parseAsync(['server', '--url', plane.url, '--token', key, ...words], { from: 'user' });
        return ended(0);
      } catch (error) {
        if (!(error instanceof UserError)) throw error;
        errors.push(error.message);
        return ended(error.exit_code);
      }
    });
}
