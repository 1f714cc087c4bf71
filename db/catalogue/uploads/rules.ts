import type { RefusalCode } from '../../platform/errors.ts';

/** Uploads that a person may have unpublished at a time, and how long their pieces are kept after the last byte. */
export const upload_limits = { open: 16, hours: 24 } as const;

/** What the open uploads of a person are, and what their day still allows. */
interface OpenUploads {
  open: number;
  /** Announced bytes of the open uploads. */
  bytes: number;
  left_bytes: number;
}

/** Why nobody may announce an upload of `size` bytes: `uploads_too_many`, `upload_quota_reached` or null. */
export function whyNotAnnounce(size: number, { open, bytes, left_bytes }: OpenUploads): RefusalCode | null {
  if (open >= upload_limits.open) return 'uploads_too_many';
  return bytes + size > left_bytes ? 'upload_quota_reached' : null;
}
