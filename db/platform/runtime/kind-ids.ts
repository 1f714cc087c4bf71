/** Kinds of game servers, as the setting SERVER_KIND names them; what each offers: `db/hosting/server-kinds/rules.ts`. */
export const kindIds = ['local', 'itzg'] as const;
export type KindId = (typeof kindIds)[number];
