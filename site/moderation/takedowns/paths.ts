/** The staff's list of takedowns, and the page of one. */
export const takedownsPath = '/admin/takedowns';
export const takedownPath = (id: string): string => `${takedownsPath}/${id}`;

/** How many takedowns everybody may count. */
export const transparencyPath = '/legal/transparency';
