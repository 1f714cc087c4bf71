import type { Db } from '../../../platform/postgres/sql.ts';
import type { TaxFormStatus, TaxFormType } from './rules.ts';

/** Where somebody stands with the form. */
export interface TaxStatus {
  form_type: TaxFormType | null;
  status: TaxFormStatus;
  signed: string | null;
}

/**
 * Who collects tax forms: what people may withdraw, pages and the API know it only through this. The local provider does it on
 * a page of this site; another one may lead elsewhere.
 */
export interface TaxForms {
  /** Asks a person for a form: gives the address where it is filled in and signed. */
  request(tx: Db, user_id: string, form_type: TaxFormType, now: Date): Promise<{ link: string }>;
  /** Where the person stands now, `unknown` while nobody can say. It is asked within a withdrawal's transaction: no calls. */
  status(db: Db, user_id: string, now: Date): Promise<TaxStatus>;
}
