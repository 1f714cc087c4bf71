import { z } from 'zod';
import { line } from './setting-shapes.ts';

/** Who sells, and which tax the prices contain, as invoices say it; part of `settingsSchema`. */
export const invoiceSettings = {
  INVOICE_NAME: line.optional(),
  /** Lines of the postal address with `;` between. */
  INVOICE_ADDRESS: line.optional(),
  INVOICE_TAX_ID: line.optional(),
  /** What the tax is called there, such as VAT. */
  INVOICE_TAX_NAME: line.default('VAT'),
  /** In percent; prices contain it. Without it invoices have no line of tax. */
  INVOICE_TAX_PERCENT: z
    .string()
    .regex(/^\d{1,2}(\.\d{1,3})?$/)
    .optional()
    .describe('a number below 100 with at most three decimals, such as 19 or 8.1'),
  /** What stands before the number. */
  INVOICE_PREFIX: z
    .string()
    .regex(/^[A-Za-z0-9/-]{0,20}$/)
    .default('')
    .describe('at most 20 letters, digits, hyphens and slashes'),
};
