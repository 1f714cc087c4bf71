/** What the tests call of an API client from npm that ships its types where no compiler looks for them. */
declare module 'modrinthjs' {
  type Service = Record<string, (...given: unknown[]) => Promise<Record<string, unknown> & { id: string }[]>>;
  export const OpenAPI: { BASE: string; HEADERS?: Record<string, string> };
  export const ProjectsService: Service;
  export const VersionsService: Service;
  export const VersionFilesService: Service;
  export const UsersService: Service;
  export const TeamsService: Service;
  export const TagsService: Service;
  export const MiscService: Service;
  export const ThreadsService: Service;
  export const NotificationsService: Service;
}
