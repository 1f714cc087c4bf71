import { requestFromPanel } from '../../core/open-panel.ts';
import { fetchFrom } from '../../transfer-way.ts';
import { texts } from '../files.store.ts';
import { max_side_px } from './zoom.ts';

/** A picture of the server, decoded; or why it cannot be shown, empty when it is none. */
export async function loadImage(path: string): Promise<ImageBitmap | { problem: string }> {
  const { t } = texts();
  const ticket = await requestFromPanel('files.download', { paths: [path], as: 'file', opens: true });
  if (!ticket.ok) return { problem: ticket.error.description || t('servers.line_lost') };
  const answer = await fetchFrom(ticket.data);
  const bytes = answer?.ok ? await answer.blob().catch(() => null) : null;
  if (!bytes) return { problem: t('servers.line_lost') };
  const bitmap = await createImageBitmap(bytes).catch(() => null);
  if (!bitmap) return { problem: '' };
  if (Math.max(bitmap.width, bitmap.height) <= max_side_px) return bitmap;
  bitmap.close();
  return { problem: t('server_files.image_too_large', { most: max_side_px }) };
}
