/** The names on the server, all made of one. */
export interface Names {
  /** Alias of the index that is searched. */
  projects: string;
  /** What the indices behind the alias are called. */
  anyProjects: string;
  /** An index of one document, which counts changes. */
  state: string;
}

export const stateId = 'state';

export const namesOf = (name: string): Names => ({
  projects: name,
  anyProjects: `${name}-v*`,
  state: `${name}-state`,
});

/** The name of a new index of projects. */
export const newProjects = ({ projects }: Names): string => `${projects}-v${Date.now().toString(36)}`;

/** Whether an index is one of ours: names of other installations may begin as ours do. */
export const isProjects = ({ projects }: Names, index: string): boolean =>
  index.startsWith(`${projects}-v`) && /^[0-9a-z]{8,}$/.test(index.slice(projects.length + 2));
