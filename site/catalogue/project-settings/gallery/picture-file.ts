/** The name of a gallery image in forms and addresses: the last part of its original's URL. */
export const pictureFile = (raw_url: string): string => raw_url.slice(raw_url.lastIndexOf('/') + 1);

/** The storage key of a project's gallery image by that name. */
export const galleryKey = (project_id: string, name: string): string => `data/${project_id}/images/${name}`;
