import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { address, integerBetween, onOff, ownHost, type Setting } from './shapes.ts';

/** Where the site is, and what stands in front of it. */
export const networkSettings = {
  SITE_URL: { shape: address },
  CDN_URL: { shape: address },
  HOST: { shape: ownHost, default: '127.0.0.1' },
  PORT: { shape: integerBetween(0, 65535), default: '4321' },
  TRUST_PROXY: {
    shape: z
      .string()
      .refine(isProxyList)
      .describe('addresses or ranges with commas between, or loopback, linklocal, uniquelocal'),
    default: '',
  },
  HSTS_SUBDOMAINS: { shape: onOff, default: 'off' },
  RATE_LIMIT_PER_MINUTE: { shape: integerBetween(0, 1_000_000), default: '300' },
  RATE_LIMIT_KEY: { shape: z.string().min(16).max(200).describe('at least 16 characters'), secret: true },
  PURGE_URL: { shape: address },
} satisfies Record<string, Setting>;

/** Whether `text` is a list of addresses, ranges and names that proxy-addr knows. */
function isProxyList(text: string): boolean {
  return text
    .split(',')
    .map((part) => part.trim())
    .every((part) =>
      part === '' || ['loopback', 'linklocal', 'uniquelocal'].includes(part) || part.includes('/')
        ? !part.includes('/') || ipaddr.isValidCIDR(part)
        : ipaddr.isValid(part),
    );
}
