/** The path of the page on which somebody signed in proves again who they are; it leads on to `back`, a local path. */
export const confirmPath = (back: string): string => `/auth/confirm?redirect=${encodeURIComponent(back)}`;
