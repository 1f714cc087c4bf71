import type { Versions } from '#db/planes/rules.ts';

/** What control planes of one installation send each other over Socket.IO, namespace /plane. Source: hosting §5.2. */

/** Versions of this protocol that this code speaks, oldest and newest. */
export const linkVersions: Versions = { min: 1, max: 1 };
