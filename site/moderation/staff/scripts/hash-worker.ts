import { createSHA512 } from 'hash-wasm';

/** What it answers. */
export type HashAnswer = { sha512: string } | { failed: true };

/** Hashes one file piece by piece: it may be larger than the memory of a tab. */
addEventListener('message', async ({ data }: MessageEvent<File>) => {
  try {
    const hash = await createSHA512();
    for (const reader = data.stream().getReader(); ; ) {
      const { done, value } = await reader.read();
      if (done) break;
      hash.update(value);
    }
    postMessage({ sha512: hash.digest() } satisfies HashAnswer);
  } catch {
    postMessage({ failed: true } satisfies HashAnswer);
  }
});
