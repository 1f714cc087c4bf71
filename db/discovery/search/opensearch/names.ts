/** Names on the server, all derived from one prefix. */
export interface Names {
  /** Alias of the index that is searched. */
  projects: string;
  /** Pattern of the indices behind the alias. */
  anyProjects: string;
  /** An index with one document, which counts changes. */
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

/** Whether an index is ours: the prefix of another installation may begin with ours. */
export const isProjects = ({ projects }: Names, index: string): boolean =>
  index.startsWith(`${projects}-v`) && /^[0-9a-z]{8,}$/.test(index.slice(projects.length + 2));
