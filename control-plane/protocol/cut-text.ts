import { z } from 'zod';

/** Text of an agent, cut rather than refused: refusing the event would lose the state that it reports. */
export const cutText = (max_characters: number) =>
  z.string().transform((text) => text.slice(0, max_characters));

/** The newest of `lines` that fit into `max_bytes`. */
export function newestWithin(lines: string[], max_bytes: number): string[] {
  let bytes = 0;
  const first = lines.findLastIndex((line) => {
    bytes += Buffer.byteLength(line);
    return bytes > max_bytes;
  });
  return lines.slice(first + 1);
}
