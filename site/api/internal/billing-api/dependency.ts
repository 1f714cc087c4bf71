import { Refused } from '#db/platform/errors.ts';

/** Work that asks the payment processor: 424 where that gives no answer. Source: api-v3 §6. */
export async function dependent<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Refused) || error.code !== 'payments_unreachable') throw error;
    const refused = new Refused('failed_dependency');
    refused.cause = error;
    throw refused;
  }
}
