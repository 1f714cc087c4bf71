import { z } from 'zod';

/** Settings of SFTP to the files of servers. */
export const sftpSettings = {
  SFTP_PORT: z.coerce.number().int().min(1).max(65535).optional().describe('a port from 1 to 65535'),
  SFTP_HOST: z
    .string()
    .regex(/^[\w.:[\]-]+$/)
    .default('127.0.0.1')
    .describe('an address or name of this machine'),
  SFTP_ADDRESS: z
    .string()
    .regex(/^[\w.:-]{1,253}$/)
    .optional()
    .describe('the address or host name that people use for SFTP'),
};

/** The port with demo content, on this machine only. */
export const demo_sftp_port = 2022;

/** The host that people are shown: SFTP_ADDRESS, or the host name of SITE_URL. */
export const sftpHost = ({
  SFTP_ADDRESS,
  SITE_URL,
}: {
  SFTP_ADDRESS?: string | undefined;
  SITE_URL: string;
}): string => SFTP_ADDRESS ?? new URL(SITE_URL).hostname.replace(/^\[|\]$/g, '');
