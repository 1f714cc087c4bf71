import { aside } from '../../../platform/runtime/aside.ts';
import type { BundleInput, debugBundle } from './bundle.ts';

/** `debugBundle`, aside; up to 5 s. Refuses as `aside` does. */
export const debugBundleAside = aside<BundleInput, ReturnType<typeof debugBundle>>({
  module: new URL('./bundle.ts', import.meta.url),
  name: 'debugBundle',
  limit_ms: 5_000,
});
