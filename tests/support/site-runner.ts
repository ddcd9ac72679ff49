/**
 * A process that runs the sites of tests one after another. Later starts need half the CPU time of the first, because
 * the code is already compiled. Tests of the server process itself start a separate process with `startSite`.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { SERVER_ENVIRONMENT, SERVER_OPTIONS } from '../../scripts/server-process.mjs';
import { siteEnvironment } from './site.ts';

const PROCESS = join(import.meta.dirname, 'site-runner-process.ts');

/** Message to the process. It contains the settings of the next site, or no settings to only stop the current site. */
export interface NextSite {
  environment?: Record<string, string>;
}

/** Response of the process. */
export interface RunnerResponse {
  /** Missing if the site was only stopped. */
  port?: number;
}

export class SiteRunner {
  #running: { child: ChildProcess; ended: Promise<unknown>; output: string[] } | undefined;

  /**
   * Stops the previous site and starts a site on this data folder. Starts a new process if the previous process
   * crashed.
   * @returns the origin of the site, without a trailing slash
   * @throws Error with the output of the process if it ends
   */
  async run(dataFolder: string, environment: Record<string, string>): Promise<string> {
    if (!this.#isConnected()) this.#startProcess();
    const { port } = await this.#send({ environment: siteEnvironment(dataFolder, environment) });
    return `http://127.0.0.1:${port}`;
  }

  /** Stops the site. Its data folder can be deleted afterwards. */
  async stop(): Promise<void> {
    if (this.#isConnected()) await this.#send({});
  }

  /** Ends the process. Call `stop` first. */
  end(): void {
    if (this.#isConnected()) this.#running?.child.disconnect();
  }

  #isConnected(): boolean {
    return this.#running?.child.connected === true;
  }

  #startProcess(): void {
    const child = fork(PROCESS, {
      execArgv: SERVER_OPTIONS,
      env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...SERVER_ENVIRONMENT, NODE_ENV: 'production' },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    const output: string[] = [];
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => output.push(String(chunk)));
    this.#running = { child, ended: once(child, 'close'), output };
  }

  async #send(message: NextSite): Promise<RunnerResponse> {
    if (!this.#running) throw new Error('The process is not running.');
    const { child, ended, output } = this.#running;
    const response = once(child, 'message');
    child.send(message);
    const [result]: RunnerResponse[] = await Promise.race([response, ended.then(() => [])]);
    if (!result) throw new Error(`The server ended:\n${output.join('')}`);
    return result;
  }
}
