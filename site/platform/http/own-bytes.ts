/** A copy with memory of its own: a pooled buffer, or one from zlib, may keep a much larger block alive. */
export function ownBytes(bytes: Uint8Array): Buffer<ArrayBuffer> {
  const copy = Buffer.allocUnsafeSlow(bytes.length) as Buffer<ArrayBuffer>;
  copy.set(bytes);
  return copy;
}

/** A text as UTF-8 in memory of its own. */
export function ownText(text: string): Buffer<ArrayBuffer> {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text)) as Buffer<ArrayBuffer>;
  bytes.write(text);
  return bytes;
}
