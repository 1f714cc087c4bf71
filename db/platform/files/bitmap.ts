import { decode } from 'bmp-ts';

export interface Bitmap {
  /** RGBA. */
  data: Uint8Array;
  width: number;
  height: number;
  channels: 4;
}

/** The pixels of a BMP whose header was checked; null for a damaged one. */
export function decodeBitmap(bytes: Uint8Array): Bitmap | null {
  try {
    const { data, width, height, bitPP } = decode(Buffer.from(bytes), { toRGBA: true });
    if (bitPP !== 32) for (let i = 3; i < data.length; i += 4) data[i] = 255;
    return { data, width, height, channels: 4 };
  } catch {
    return null;
  }
}
