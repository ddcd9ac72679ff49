/** Origin for links that belong to no request, such as those in scheduled mails. */
import type { Config } from './config.ts';

/** Public origin of the site. */
export class SiteOrigin {
  readonly #config: Pick<Config, 'SITE_URL' | 'HOST' | 'PORT'>;
  #port: number;

  constructor(config: Pick<Config, 'SITE_URL' | 'HOST' | 'PORT'>) {
    this.#config = config;
    this.#port = config.PORT;
  }

  /** Records the port that the server got: with PORT=0 the system chooses one. */
  listensAt(port: number): void {
    this.#port = port;
  }

  /** SITE_URL, otherwise the address at which this process listens. Without a trailing slash. */
  toString(): string {
    return this.#config.SITE_URL ?? this.local;
  }

  /** Address at which this process listens. A wildcard host is no address to open, so it becomes `localhost`. */
  get local(): string {
    const { HOST } = this.#config;
    const host = HOST === '0.0.0.0' || HOST === '::' ? 'localhost' : HOST.includes(':') ? `[${HOST}]` : HOST;
    return `http://${host}:${this.#port}`;
  }
}
