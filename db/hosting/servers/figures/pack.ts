import { type FigureName, type Figures, figureNames } from './rules.ts';

/**
 * Six ten-minutes of a server in 96 bytes: eight values of two bytes each. A value is `mantissa * 2 ** exponent` with 12
 * and 4 bits, so that it is off by one in 4,096 at most, whether it is a percentage or the megabytes of a disk.
 */

export const ten_minutes_of_hour = 6;
const unknown = 0xffff;
const largest_mantissa = 0xfff;
const largest_exponent = 14; // 15 marks what is not known

/** What one step of the mantissa stands for. */
const steps: Record<FigureName, number> = {
  cpu: 0.1,
  cpu_most: 0.1,
  ram_mb: 1,
  // a new server uses less than a megabyte
  disk_mb: 0.1,
  received: 10,
  sent: 10,
  tick_ms: 0.01,
  players: 1,
};

function packValue(value: number | null, step: number): number {
  if (value === null || !Number.isFinite(value)) return unknown;
  let mantissa = Math.round(Math.max(0, value) / step);
  let exponent = 0;
  while (mantissa > largest_mantissa && exponent < largest_exponent) {
    exponent += 1;
    mantissa = Math.round(Math.max(0, value) / step / 2 ** exponent);
  }
  return exponent * 0x1000 + Math.min(mantissa, largest_mantissa);
}

const unpackValue = (packed: number, step: number): number | null =>
  packed === unknown
    ? null
    : Math.round((packed & largest_mantissa) * 2 ** (packed >> 12) * step * 100) / 100;

/** Packs the ten-minutes of an hour; null where a server was not measured. */
export function packHour(ten_minutes: readonly (Figures | null)[]): Buffer {
  const bytes = Buffer.alloc(ten_minutes_of_hour * figureNames.length * 2, 0xff);
  ten_minutes.slice(0, ten_minutes_of_hour).forEach((figures, place) => {
    if (!figures) return;
    figureNames.forEach((name, at) => {
      bytes.writeUInt16BE(packValue(figures[name], steps[name]), (place * figureNames.length + at) * 2);
    });
  });
  return bytes;
}

/** The ten-minutes of a packed hour; null where a server was not measured. */
export const unpackHour = (bytes: Buffer): (Figures | null)[] =>
  Array.from({ length: ten_minutes_of_hour }, (_, place) => {
    const figures = Object.fromEntries(
      figureNames.map((name, at) => [
        name,
        unpackValue(bytes.readUInt16BE((place * figureNames.length + at) * 2), steps[name]),
      ]),
    ) as Figures;
    return figures.cpu === null ? null : figures;
  });
