import ipaddr from 'ipaddr.js';
import { z } from 'zod';

/** Shapes that several settings share. */

const described = 'an address that begins with http:// or https://';
/** An http or https address, exactly as given. */
export const exactAddress = z.url({ protocol: /^https?$/ }).describe(described);
/** An http or https address to which paths are added: without slashes at its end. */
export const address = exactAddress.transform((text) => text.replace(/(?<!\/)\/+$/, '')).describe(described);

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

/** IP addresses with or without a port (`192.0.2.53:53`, `[2001:db8::53]:53`), with commas between. */
export const ipList = commaList
  .refine((parts) => parts.length <= 10 && parts.every(isIpWithPort))
  .describe('up to 10 IP addresses with commas between, such as 192.0.2.53 or 192.0.2.53:5353');

function isIpWithPort(text: string): boolean {
  const [, bracketed, plain, port] = /^(?:\[(.+)\]|([^:[\]]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const address = bracketed ?? plain ?? text;
  return ipaddr.isValid(address) && Number(port ?? 53) > 0 && Number(port ?? 53) < 65536;
}

/** A text for people, on one line. */
export const line = z
  .string()
  .regex(/^[^\p{Cc}]{1,300}$/u)
  .describe('a text of up to 300 characters on one line');

/** A whole number in these bounds, `fallback` when it is not set. */
export const integerBetween = (min: number, max: number, fallback: number) =>
  z.coerce
    .number()
    .int()
    .min(min)
    .max(max)
    .default(fallback)
    .describe(`a whole number from ${min} to ${max}`);

/** One of these words. */
export const oneOf = <const T extends [string, ...string[]]>(...values: T) =>
  z.enum(values).describe(`one of ${values.join(', ')}`);

/** Whether `text` is a range of unprivileged ports, lowest first. */
export const isPortRange = (text: string): boolean => {
  const [from = 0, to = 0] = text.split('-').map(Number);
  return /^\d+-\d+$/.test(text) && from >= 1024 && from <= to && to <= 65535;
};

/** Whether `text` is a list of addresses, ranges and names that proxy-addr knows. */
export const isProxyList = (text: string): boolean =>
  text
    .split(',')
    .map((part) => part.trim())
    .every((part) =>
      part === '' || ['loopback', 'linklocal', 'uniquelocal'].includes(part) || part.includes('/')
        ? !part.includes('/') || ipaddr.isValidCIDR(part)
        : ipaddr.isValid(part),
    );

/** Whether `text` is an address that control planes listen on. */
export const isControlUrl = (text: string): boolean =>
  /^unix:\/[^\0]+$/.test(text) || (/^https?:\/\/.+$/.test(text) && URL.canParse(text));
