import type { AskCaptcha, BackendContext } from './context.ts';
import type { Queryable } from './database/database.ts';
import type { QueuedMail } from './mail/mail-queue.ts';
import type { Mail } from './mail/mailer.ts';
import type { SiteOrigin } from './site-origin.ts';
import type { Job } from './work-queue.ts';

/** Parts that the application on top of the backend brings along. */
export interface Application {
  /** Folder of its SQL files, which are applied in the order of their names. */
  migrationsFolder: string;
  /** SQL with the content of a new database. */
  seedFile: string;
  /** Opens its functions. `tables` answers requests to /rest/v1. */
  openFunctions(context: BackendContext, tables: Ask): Promise<Functions>;
  mails: Mails;
  /** Asks a provider whether a captcha was solved. */
  askCaptcha: AskCaptcha;
  /** Widths in pixels. Visitors without an account get pictures in these only. */
  pictureWidths: readonly number[];
  /** Starts its work that no request asks for. */
  startJobs(parts: JobParts): Promise<Job>;
}

/** Answers a request of this process. */
export type Ask = (request: Request) => Response | Promise<Response>;

export interface Mails {
  /** Reads the name that mails are from, unless MAIL_FROM says otherwise, and that text messages have. */
  readSenderName(database: Queryable): Promise<string>;
  /**
   * Returns what renders queued mails. `files` answers requests to /storage/v1.
   * @throws Error from the returned function for a template that is not there
   */
  createRenderer(database: Queryable, files: Ask): MailRenderer;
}

/** Renders a mail whose links lead to `origin`, the public address of the site. */
export type MailRenderer = (mail: QueuedMail, origin: string) => Promise<Omit<Mail, 'key' | 'to'>>;

export interface Functions {
  /** Its functions by the name behind /functions/v1/. */
  byName: Readonly<Record<string, BackendFunction>>;
  /** Ends what they do between requests. */
  close(): Promise<void>;
}

export interface BackendFunction {
  /** Parameter that the path has behind the name, such as `:source`; without it such paths are not found. */
  parameter?: string;
  /** True when callers show a key or a token. */
  isIdentified?: boolean;
  /** Answers a request of a network address, '' when it is unknown. */
  answer(request: Request, address: string): Response | Promise<Response>;
}

export type JobParts = Pick<BackendContext, 'config' | 'database' | 'log'> & { origin: SiteOrigin };
