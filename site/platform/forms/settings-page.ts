import { z } from 'zod';

/**
 * The page that a form of a project's or an organization's settings stands on: a form of the members stands on both.
 * Only such paths are taken, because people are led back there.
 */
export const settingsPage = z
  .string()
  .regex(/^\/[a-z]+\/[\w!@$()`.+,"%-]{1,200}\/settings\/(members|projects)$/);

/** The page of a form as it was sent; the dashboard when it names none. */
export const settingsPageOf = ({ page }: Record<string, unknown>): string =>
  settingsPage.safeParse(page).data ?? '/dashboard';
