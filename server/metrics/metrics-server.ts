/** GET /metrics on a separate port, with /healthz and /readyz. It keeps responding while the site shuts down. */

import { createServer, type Server } from 'node:http';
import { type Backend, type Config, cacheForOneSecond, type MemoryBudget } from '@signalfjord/backend';
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { Health } from '../health.ts';
import type { OpenConnections } from '../open-connections.ts';
import type { PageCache } from '../page-cache.ts';
import type { RequestMetrics } from './request-metrics.ts';

export interface MetricsDependencies {
  requests: RequestMetrics;
  health: Health;
  backend: Backend | null;
  memory: MemoryBudget;
  connections: OpenConnections;
  /** Undefined if pages are not cached. */
  pages: PageCache | undefined;
}

const QUEUE_TIMEOUT_MS = 2_000;

/** Starts the metrics server. @throws NodeJS.ErrnoException if the port is not available */
export async function startMetricsServer(config: Config, dependencies: MetricsDependencies): Promise<Server> {
  const processRegistry = new Registry();
  collectDefaultMetrics({ register: processRegistry });
  const read = cacheForOneSecond(async () =>
    Registry.merge([processRegistry, dependencies.requests.registry, await siteMetrics(dependencies)]).metrics(),
  );
  const server = createServer((request, response) => {
    if (dependencies.health.handle(request, response)) return;
    if (request.url !== '/metrics') {
      response.writeHead(404).end('Not found. Available paths: /metrics, /healthz and /readyz.\n');
      return;
    }
    read().then(
      (text) => response.writeHead(200, { 'content-type': processRegistry.contentType }).end(text),
      () => response.writeHead(500).end('The metrics could not be read.\n'),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(config.METRICS_PORT, resolve);
  });
  return server;
}

type Sample = [labels: Record<string, string>, value: number];

/**
 * Metrics of other components. They are created for each scrape, so that metrics without a value are omitted.
 */
class SiteMetrics {
  readonly registry = new Registry();

  gauge(name: string, help: string, value: number | Sample[]): void {
    this.#add(Gauge, name, help, value);
  }

  counter(name: string, help: string, value: number | Sample[]): void {
    this.#add(Counter, name, help, value);
  }

  #add(Kind: typeof Gauge | typeof Counter, name: string, help: string, value: number | Sample[]): void {
    const samples: Sample[] = typeof value === 'number' ? [[{}, value]] : value;
    const [first] = samples;
    if (!first) return;
    const metric = new Kind({ name, help, labelNames: Object.keys(first[0]), registers: [this.registry] });
    for (const [labels, amount] of samples) metric.inc(labels, amount);
  }
}

/** Returns a sample for each entry of a record. */
function labelSamples(label: string, values: Record<string, number>): Sample[] {
  return Object.entries(values).map(([name, value]) => [{ [label]: name }, value]);
}

async function siteMetrics({ health, backend, memory, connections, pages }: MetricsDependencies): Promise<Registry> {
  const [{ isReady, parts }, queues] = await Promise.all([health.read(), backend && readQueues(backend)]);
  const metrics = new SiteMetrics();
  const states = Object.entries(parts).map(([part, state]): Sample => [{ part }, Number(state === 'ok')]);
  metrics.gauge('signalfjord_ready', '1 if /readyz returns 200.', Number(isReady));
  metrics.gauge('signalfjord_part_ready', '1 for each available part.', states);
  if (pages) addPages(metrics, pages);
  if (queues) addQueues(metrics, queues);
  const load = backend?.database.load?.();
  if (load) {
    metrics.gauge(
      'signalfjord_database_connections',
      'Maximum database connections of this process.',
      load.connections,
    );
    metrics.gauge('signalfjord_database_working', 'Tasks that are using a connection.', load.running);
    metrics.gauge('signalfjord_database_waiting', 'Tasks that are waiting for a connection.', load.queued);
    metrics.counter(
      'signalfjord_database_refused_total',
      'Tasks rejected because the wait would have been too long.',
      load.rejected,
    );
  }
  const { bytes, ended } = memory.stats();
  const endings = Object.entries(ended).flatMap(([kind, counts]) =>
    Object.entries(counts).map(([reason, value]): Sample => [{ kind, reason }, value]),
  );
  metrics.gauge(
    'signalfjord_held_bytes',
    'Request bodies and unsent responses in memory.',
    labelSamples('kind', bytes),
  );
  metrics.counter(
    'signalfjord_held_ended_total',
    'Bodies and responses aborted: stalled (late) or to free memory (room).',
    endings,
  );
  const { open, refused } = connections.stats();
  metrics.gauge('signalfjord_connections', 'Open connections.', open);
  metrics.counter('signalfjord_connections_refused_total', 'Connections rejected by the limit per network.', refused);
  return metrics.registry;
}

function addPages(metrics: SiteMetrics, pages: PageCache): void {
  const { hits, misses, count, bytes, staleServed, renders } = pages.stats();
  const requests: Sample[] = [
    [{ result: 'hit' }, hits],
    [{ result: 'miss' }, misses],
  ];
  metrics.counter('signalfjord_page_cache_requests_total', 'Page requests: served from the cache, or not.', requests);
  metrics.gauge('signalfjord_page_cache_pages', 'Pages in the cache.', count);
  metrics.gauge('signalfjord_page_cache_bytes', 'Size of the cached pages.', bytes);
  metrics.counter('signalfjord_page_stand_ins_total', 'Stale pages served because a render failed.', staleServed);
  metrics.gauge('signalfjord_renders_running', 'Pages being rendered.', renders.running);
  metrics.gauge('signalfjord_renders_waiting', 'Pages waiting to be rendered.', renders.waiting);
  metrics.counter('signalfjord_renders_total', 'Started renders.', renders.started);
  metrics.counter('signalfjord_renders_refused_total', 'Renders rejected or timed out in the queue.', renders.refused);
}

type Queues = Awaited<ReturnType<typeof countQueues>>;

async function countQueues({ database, readQueueMetrics }: Backend) {
  const waiting = `
    select (select count(*)::integer from public.lead_webhook_deliveries where status = 'waiting') as webhooks,
      (select count(*)::integer from public.client_webhook_deliveries where status = 'waiting') as "clientWebhooks"`;
  const [queues, { rows }] = await Promise.all([
    readQueueMetrics(),
    database.query<{ webhooks: number; clientWebhooks: number }>(waiting),
  ]);
  return { ...queues, ...(rows[0] ?? { webhooks: 0, clientWebhooks: 0 }) };
}

/** Returns null if the database is too slow, so that process metrics stay available. */
async function readQueues(backend: Backend): Promise<Queues | null> {
  const timeout = new Promise<null>((resolve) => setTimeout(resolve, QUEUE_TIMEOUT_MS, null).unref());
  return Promise.race([countQueues(backend).catch(() => null), timeout]);
}

function addQueues(metrics: SiteMetrics, queues: Queues): void {
  const { mails, failedMails, webhooks, clientWebhooks, deletedFiles, pictures, oldestMailSeconds } = queues;
  const lengths = labelSamples('queue', {
    mails,
    webhooks,
    client_webhooks: clientWebhooks,
    deleted_files: deletedFiles,
    pictures,
  });
  metrics.gauge('signalfjord_queue_length', 'Due tasks. Pictures: of this process. Others: of all instances.', lengths);
  metrics.gauge('signalfjord_oldest_mail_seconds', 'Age of the oldest due mail.', oldestMailSeconds);
  metrics.gauge('signalfjord_failed_mails', 'Mails of the last 30 days that could not be sent.', failedMails);
}
