/** Origin for links that do not belong to a request, such as those in scheduled mails. */
import type { Config } from './config.ts';

/** Public origin of the site. */
export class SiteOrigin {
  readonly #config: Pick<Config, 'SITE_URL' | 'HOST' | 'PORT'>;
  #port: number;

  constructor(config: Pick<Config, 'SITE_URL' | 'HOST' | 'PORT'>) {
    this.#config = config;
    this.#port = config.PORT;
  }

  /** Sets the port of the server, which the system chooses if PORT=0. */
  setPort(port: number): void {
    this.#port = port;
  }

  /** Returns SITE_URL without a trailing slash, or the address of this process if SITE_URL is not set. */
  toString(): string {
    return this.#config.SITE_URL ?? this.local;
  }

  /** Address of this process. A wildcard host cannot be opened, so it becomes `localhost`. */
  get local(): string {
    const { HOST } = this.#config;
    const host = HOST === '0.0.0.0' || HOST === '::' ? 'localhost' : HOST.includes(':') ? `[${HOST}]` : HOST;
    return `http://${host}:${this.#port}`;
  }
}
