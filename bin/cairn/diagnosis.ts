/** The doctor's finding for one part. */
export interface Diagnosis {
  part: string;
  fine: boolean;
  found: string;
  mend: string;
}

export const diagnosis = (part: string, fine: boolean, found: string, mend: string): Diagnosis => ({
  part,
  fine,
  found,
  mend: fine ? '' : mend,
});
