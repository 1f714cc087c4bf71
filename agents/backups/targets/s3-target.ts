import { Readable } from 'node:stream';
import type { S3Client } from '@aws-sdk/client-s3';
import { notIdle } from '../checked.ts';
import { BackupError, targetFailed } from '../error.ts';
import type { S3Settings } from './s3-settings.ts';
import type { BackupTarget } from './target.ts';

const part_bytes = 16 * 1024 * 1024;

/** Loaded with the first backup: most agents need it never. */
const sdk = async () => ({
  ...(await import('@aws-sdk/client-s3')),
  ...(await import('@aws-sdk/lib-storage')),
});

/** Backups as objects `<prefix>/<name>` of an S3 store; large ones are uploaded in parts, which appear all at once. */
export class S3Target implements BackupTarget {
  readonly #settings: S3Settings;
  #client: S3Client | null = null;
  constructor(settings: S3Settings) {
    this.#settings = settings;
  }

  async #connect() {
    const library = await sdk();
    const { endpoint, region, access_key, secret_key, idle_ms } = this.#settings;
    this.#client ??= new library.S3Client({
      endpoint,
      region,
      credentials: { accessKeyId: access_key, secretAccessKey: secret_key },
      forcePathStyle: true,
      maxAttempts: 3,
      // stores of others do not all know the newer sums; ours are checked anyway
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: {
        connectionTimeout: Math.min(idle_ms, 10_000),
        socketTimeout: idle_ms,
        requestTimeout: idle_ms,
        throwOnRequestTimeout: true,
      },
    });
    return { library, client: this.#client };
  }

  #at = (name: string) => ({
    Bucket: this.#settings.bucket,
    Key: this.#settings.prefix ? `${this.#settings.prefix}/${name}` : name,
  });

  async put(_: string, name: string, content: AsyncIterable<Buffer>, signal: AbortSignal): Promise<void> {
    const { library, client } = await this.#connect();
    let [bytes, failure] = [0, null as unknown];
    const counted = async function* () {
      try {
        for await (const chunk of content) {
          bytes += chunk.length;
          yield chunk;
        }
      } catch (error) {
        failure = error;
        throw error;
      }
    };
    const upload = new library.Upload({
      client,
      params: { ...this.#at(name), Body: Readable.from(counted(), { objectMode: false }) },
      partSize: part_bytes,
      queueSize: 2,
    });
    const stop = () => void upload.abort().catch(() => {});
    signal.addEventListener('abort', stop);
    try {
      await upload.done();
      const { ContentLength } = await client.send(new library.HeadObjectCommand(this.#at(name)));
      if (ContentLength !== bytes)
        throw new BackupError('backup_target_failed', `it has ${ContentLength ?? 0} of ${bytes} bytes`);
    } catch (error) {
      await this.remove('', name).catch(() => {});
      throw signal.aborted ? new BackupError('cancelled') : targetFailed(failure ?? error);
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  async *get(_: string, name: string, signal: AbortSignal): AsyncGenerator<Buffer> {
    const { library, client } = await this.#connect();
    try {
      const got = await client.send(new library.GetObjectCommand(this.#at(name)), { abortSignal: signal });
      let bytes = 0;
      for await (const chunk of notIdle(got.Body as Readable, this.#settings.idle_ms)) {
        bytes += chunk.length;
        yield chunk;
      }
      if (got.ContentLength !== undefined && bytes !== got.ContentLength)
        throw new BackupError('backup_target_failed', `it sent ${bytes} of ${got.ContentLength} bytes`);
    } catch (error) {
      if (signal.aborted) throw new BackupError('cancelled');
      if ((error as Error).name === 'NoSuchKey') throw new BackupError('backup_not_found');
      throw targetFailed(error);
    }
  }

  /** Removes everything whose name begins with `prefix`, which ends with a `/`. */
  async removeAll(prefix: string): Promise<void> {
    const { library, client } = await this.#connect();
    const { Bucket, Key: Prefix } = this.#at(prefix);
    try {
      for (;;) {
        const { Contents: found = [] } = await client.send(
          new library.ListObjectsV2Command({ Bucket, Prefix }),
        );
        for (const { Key } of found) await client.send(new library.DeleteObjectCommand({ Bucket, Key }));
        if (found.length === 0) return;
      }
    } catch (error) {
      throw targetFailed(error);
    }
  }

  async remove(_: string, name: string): Promise<void> {
    const { library, client } = await this.#connect();
    const { Bucket, Key } = this.#at(name);
    try {
      await client.send(new library.DeleteObjectCommand({ Bucket, Key }));
      // what a killed agent left would cost its owner money for ever; not every store knows this request
      const begun = await client
        .send(new library.ListMultipartUploadsCommand({ Bucket, Prefix: Key }))
        .catch(() => null);
      for (const { UploadId } of (begun?.Uploads ?? []).filter((one) => one.Key === Key))
        await client.send(new library.AbortMultipartUploadCommand({ Bucket, Key, UploadId }));
    } catch (error) {
      throw targetFailed(error);
    }
  }
}
