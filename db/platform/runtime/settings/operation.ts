import { z } from 'zod';
import { oneOf, onOff, type Setting } from './shapes.ts';

/** What is logged and measured, and who may ask. */
export const operationSettings = {
  LOG_CLIENTS: { shape: onOff, default: 'off' },
  LOG_LEVEL: {
    shape: oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'),
    default: 'info',
  },
  METRICS: { shape: oneOf('loopback', 'all', 'off'), default: 'loopback' },
  ADMIN_KEY: {
    shape: z
      .string()
      .regex(/^[\x21-\x7e]{16,256}$/)
      .describe('16 to 256 letters, digits and signs without spaces'),
    secret: true,
  },
} satisfies Record<string, Setting>;
