import { codeReader } from './reached-codes.ts';
import { registeredCalls } from './registered-calls.ts';

/** Where the codes are kept for the OpenAPI documents. */
export const refusalsPath = 'site/platform/route/operation-refusals.json';

/** The codes that the code of each operation contains, as the file at `refusalsPath`: one operation a line. */
export function operationRefusals(): string {
  const codesOf = codeReader();
  const lines = [...registeredCalls()]
    .map(([operation, calls]) => `  ${JSON.stringify(operation)}: ${JSON.stringify(codesOf(calls))}`)
    .sort();
  return `{\n${lines.join(',\n')}\n}\n`;
}
