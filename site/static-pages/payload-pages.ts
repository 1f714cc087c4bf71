/** The addresses of all prerendered pages, without language; a new page is added here. */
export const payloadPages = async (): Promise<string[]> => ['/frog'];
