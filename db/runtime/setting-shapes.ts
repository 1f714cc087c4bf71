import { z } from 'zod';

/** Shapes that several settings share. */

const described = 'an address that begins with http:// or https://';
/** An http or https address, exactly as given. */
export const exactAddress = z.url({ protocol: /^https?$/ }).describe(described);
/** An http or https address to which paths are added: without slashes at its end. */
export const address = exactAddress.transform((text) => text.replace(/\/+$/, '')).describe(described);

/** Texts with commas between; spaces around them and empty ones do not count. */
export const commaList = z
  .string()
  .default('')
  .transform((text) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean),
  );

/** One of these words. */
export const oneOf = <const T extends [string, ...string[]]>(...values: T) =>
  z.enum(values).describe(`one of ${values.join(', ')}`);

/** Whether `text` is a range of unprivileged ports, lowest first. */
export const isPortRange = (text: string): boolean => {
  const [from = 0, to = 0] = text.split('-').map(Number);
  return /^\d+-\d+$/.test(text) && from >= 1024 && from <= to && to <= 65535;
};
