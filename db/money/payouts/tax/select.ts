import type { Settings } from '../../../platform/runtime/env.ts';
import { localTaxForms } from './local.ts';
import type { TaxForms } from './tax-forms.ts';

/** Who collects tax forms in this process: the only place that chooses. */
export const taxFormProvider = ({ SITE_URL }: Pick<Settings, 'SITE_URL'>): TaxForms =>
  localTaxForms(SITE_URL);
