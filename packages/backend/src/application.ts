import type { BackendContext, VerifyCaptcha } from './context.ts';
import type { Queryable } from './database/database.ts';
import type { Job } from './jobs/jobs.ts';
import type { QueuedMail } from './mail/mail-queue.ts';
import type { Mail } from './mail/mailer.ts';
import type { SiteOrigin } from './site-origin.ts';
import type { StorageOptions } from './storage/storage.ts';

/** The application that a backend serves. Only `migrationsFolder` is required. */
export interface Application {
  /** Folder with SQL files named YYYYMMDDHHMMSS_name.sql. Each file is applied once, in order of name. */
  migrationsFolder: string;
  /** SQL file with the initial rows of a new database. Skipped if STARTER_CONTENT is off. */
  seedFile?: string;
  /** Opens the functions below /functions/v1. `handleRest` handles requests to /rest/v1. Default: no functions. */
  openFunctions?(context: BackendContext, handleRest: RequestHandler): Functions | Promise<Functions>;
  /** Sender and texts of mails. Default: plain texts for sign-up, sign-in, recovery and invitation. */
  mails?: Mails;
  /** Verifies a captcha token with the provider. Required if CAPTCHA_PROVIDER is set. */
  verifyCaptcha?: VerifyCaptcha;
  /** Rules for files beyond those of Supabase Storage. */
  storage?: StorageOptions;
  /** Returns the jobs that run between requests. Default: no jobs. */
  jobs?(dependencies: JobDependencies): readonly Job[];
}

/** Handles a request within this process. */
export type RequestHandler = (request: Request) => Response | Promise<Response>;

export interface Mails {
  /** Reads the sender name for text messages, and for mails unless MAIL_FROM is set. */
  readSenderName(database: Queryable): Promise<string>;
  /**
   * Returns the function that renders queued mails. A mail is deleted without being sent if the function
   * returns null. `handleStorage` handles requests to /storage/v1.
   * @throws Error from the returned function for an unknown template
   */
  createRenderer(database: Queryable, handleStorage: RequestHandler): MailRenderer;
}

/** Renders a mail with links to `origin`, the public URL of the site. Returns null if the mail no longer applies. */
export type MailRenderer = (mail: QueuedMail, origin: string) => Promise<Omit<Mail, 'key' | 'to'> | null>;

export interface Functions {
  /** The functions by name, which is the path after /functions/v1/. */
  byName: Readonly<Record<string, BackendFunction>>;
  /** Stops background work. */
  close?(): Promise<void>;
}

export interface BackendFunction {
  /** Path parameter after the name, such as `:source`. Without it, longer paths return 404. */
  parameter?: string;
  /** True if requests must have a valid key or token. */
  requiresKey?: boolean;
  /** Handles a request. `address` is the client's IP address, or '' if it is unknown. */
  handle(request: Request, address: string): Response | Promise<Response>;
}

export type JobDependencies = Pick<BackendContext, 'config' | 'database' | 'log'> & { origin: SiteOrigin };
