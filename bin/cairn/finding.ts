/** What the doctor says of one part. */
export interface Finding {
  part: string;
  fine: boolean;
  found: string;
  mend: string;
}

export const finding = (part: string, fine: boolean, found: string, mend: string): Finding => ({
  part,
  fine,
  found,
  mend: fine ? '' : mend,
});
