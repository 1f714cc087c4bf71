import { arrivedBytes, type StorageQuestion, type StorageRequest } from '#control/protocol/backups.ts';
import { meter, notIdle } from '../checked.ts';
import { BackupError, targetFailed } from '../error.ts';
import type { Platform } from './platform.ts';
import { fetchStored, sendStored } from './platform-http.ts';
import type { BackupTarget } from './target.ts';

/** A control plane that sends nothing for this long is gone. */
const idle_ms = 60_000;

/** What refusals of the control plane mean for whoever reads why a backup failed. */
const problems = new Map<string, string>([
  ['storage_full', 'its storage is full'],
  ['body_too_large', 'the backup takes more than it may'],
  ['busy', 'too many backups are being made at this moment'],
  ['backup_not_ready', 'this backup is not being made any more'],
  ['ticket_invalid', 'the transfer was given up'],
  ['backup_target_failed', 'its storage does not work'],
  ['internal_error', 'its storage does not work'],
]);

/** The error for a refusal of the control plane. */
export const platformError = (code: string): BackupError =>
  code === 'backup_not_found'
    ? new BackupError('backup_not_found')
    : new BackupError('backup_target_failed', problems.get(code) ?? `the control plane answered ${code}`);

/**
 * The storage of the platform, so that backups outlive this node. A file is sent to an address that works once, and gets its
 * name when the control plane has the bytes, and the sum of them, that were sent. Source: hosting §1d.
 */
export class PlatformTarget implements BackupTarget {
  readonly #platform: Platform;
  constructor(platform: Platform) {
    this.#platform = platform;
  }

  async #ask<R extends StorageRequest>(request: R, question: StorageQuestion<R>) {
    const answer = await this.#platform.ask(request, question);
    if (!answer.ok) throw platformError(answer.error);
    return answer;
  }

  async put(server_id: string, name: string, content: AsyncIterable<Buffer>, signal: AbortSignal) {
    const { pass, result } = meter(Number.MAX_SAFE_INTEGER);
    let failure: unknown = null;
    const sent = async function* () {
      try {
        yield* pass(content);
      } catch (error) {
        failure = error;
        throw error;
      }
    };
    try {
      const { address } = await this.#ask('backup.address', { server_id, name, direction: 'to' });
      const to = { url: this.#platform.url(), path: address, signal };
      const answer = await sendStored(to, sent());
      if (answer.status !== 200) throw platformError(String(answer.body.error));
      const arrived = arrivedBytes.parse(answer.body);
      const { bytes, sha256 } = result();
      if (arrived.bytes !== bytes)
        throw new BackupError('backup_target_failed', `it has ${arrived.bytes} of ${bytes} bytes`);
      if (arrived.sha256 !== sha256)
        throw new BackupError('backup_target_failed', 'it has other bytes than were sent');
      await this.#ask('backup.commit', { address, bytes, sha256 });
    } catch (error) {
      throw signal.aborted ? new BackupError('cancelled') : targetFailed(failure ?? error);
    }
  }

  async *get(server_id: string, name: string, signal: AbortSignal): AsyncGenerator<Buffer> {
    try {
      const { address } = await this.#ask('backup.address', { server_id, name, direction: 'from' });
      const answer = await fetchStored({ url: this.#platform.url(), path: address, signal });
      if (!answer.ok) throw platformError(answer.error);
      let bytes = 0;
      for await (const chunk of notIdle(answer.body, idle_ms)) {
        bytes += chunk.length;
        yield chunk;
      }
      if (bytes !== answer.bytes)
        throw new BackupError('backup_target_failed', `it sent ${bytes} of ${answer.bytes} bytes`);
    } catch (error) {
      throw signal.aborted ? new BackupError('cancelled') : targetFailed(error);
    }
  }

  async remove(server_id: string, name: string): Promise<void> {
    try {
      await this.#ask('backup.remove', { server_id, name });
    } catch (error) {
      throw targetFailed(error);
    }
  }
}
