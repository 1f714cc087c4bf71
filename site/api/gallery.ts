import type { Api } from './route/types.ts';

/** Gallery images of a project, the same in both versions but for the name of the title. Source: api-v2 §4; api-v3 §3.1. */
export function galleryRoutes(_api: Api, _version: 2 | 3): void {}
