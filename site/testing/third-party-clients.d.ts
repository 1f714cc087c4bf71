/**
 * What the tests call of API clients from npm: one has no types, those of the others need the DOM or a build tool.
 */
declare module '@xmcl/modrinth' {
  type Thing = { id: string } & Record<string, unknown>;
  export class ModrinthV2Client {
    constructor(options: { baseUrl: string; headers?: Record<string, string> });
    [method: string]: (...given: unknown[]) => Promise<Thing & Thing[]>;
  }
}

declare module '@modrinth/api-client' {
  type Module = Record<string, (...given: unknown[]) => Promise<Record<string, unknown> & { id: string }[]>>;
  export class AuthFeature {
    constructor(options: { token: string; tokenPrefix?: string });
  }
  export class GenericModrinthClient {
    constructor(options: { labrinthBaseUrl: string; features: AuthFeature[] });
    labrinth: Record<string, Module>;
  }
}

declare module 'typerinth' {
  export class Modrinth {
    constructor(options: { baseUrl: string; cache?: { useCache: boolean } });
    [method: string]: (...given: unknown[]) => Promise<Record<string, unknown> & { id: string }[]>;
  }
  export const TagType: Record<string, string>;
}

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
