/** GET /metrics on a port of its own, with /healthz and /readyz beside it: it goes on answering while the site stops. */
import { createServer, type Server } from 'node:http';
import type { Config } from '../../backend/config.ts';
import type { Backend } from '../../backend/create-backend.ts';
import type { HeldBytes } from '../../backend/fairness/held-bytes.ts';
import { remembered } from '../../backend/readiness.ts';
import type { Health } from '../health.ts';
import type { OpenConnections } from '../open-connections.ts';
import type { PageCache } from '../page-cache.ts';
import { CONTENT_TYPE, counter, gauge, type Metric, toText } from './exposition.ts';
import { watchProcess } from './process-metrics.ts';
import type { RequestFigures } from './request-figures.ts';

export interface MetricsParts {
  requests: RequestFigures;
  health: Health;
  backend: Backend | null;
  held: HeldBytes;
  connections: OpenConnections;
  /** Undefined where no page is kept. */
  pages: PageCache | undefined;
}

const DEADLINE_MS = 2_000;

/** @returns the server, which listens already @throws NodeJS.ErrnoException when the port cannot be had */
export async function startMetricsServer(config: Config, parts: MetricsParts): Promise<Server> {
  const readProcess = watchProcess();
  const read = remembered(async () => toText([...readProcess(), ...(await siteMetrics(parts))]));
  const server = createServer((request, response) => {
    if (parts.health.answer(request, response)) return;
    if (request.url !== '/metrics') {
      response.writeHead(404).end('There is /metrics, /healthz and /readyz.\n');
      return;
    }
    read().then(
      (text) => response.writeHead(200, { 'content-type': CONTENT_TYPE }).end(text),
      () => response.writeHead(500).end('The figures could not be read.\n'),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(config.METRICS_PORT, config.METRICS_HOST, resolve);
  });
  return server;
}

async function siteMetrics({ requests, health, backend, held, connections, pages }: MetricsParts): Promise<Metric[]> {
  const [{ isReady, parts }, queues] = await Promise.all([health.read(), backend && readQueues(backend)]);
  return [
    ...requests.metrics(),
    gauge('signalfjord_ready', '1 while /readyz says yes.', Number(isReady)),
    {
      name: 'signalfjord_part_ready',
      help: '1 for each part that is there.',
      type: 'gauge',
      samples: Object.entries(parts).map(([part, state]) => ({ labels: { part }, value: Number(state === 'ok') })),
    },
    ...pageMetrics(pages),
    ...(queues ?? []),
    ...loadMetrics(backend),
    ...heldMetrics(held),
    ...connectionMetrics(connections),
  ];
}

function pageMetrics(pages: PageCache | undefined): Metric[] {
  if (!pages) return [];
  const { hits, misses, kept, bytes, standIns, renders } = pages.figures();
  return [
    {
      name: 'signalfjord_page_cache_requests_total',
      help: 'Requests for pages: answered from memory, or not.',
      type: 'counter',
      samples: [
        { labels: { result: 'hit' }, value: hits },
        { labels: { result: 'miss' }, value: misses },
      ],
    },
    gauge('signalfjord_page_cache_pages', 'Pages in memory.', kept),
    gauge('signalfjord_page_cache_bytes', 'What they take.', bytes),
    counter('signalfjord_page_stand_ins_total', 'Pages that stood in for one that could not be rendered.', standIns),
    gauge('signalfjord_renders_running', 'Pages that are rendered.', renders.running),
    gauge('signalfjord_renders_waiting', 'Places in the queue for it.', renders.waiting),
    counter('signalfjord_renders_total', 'Renders that were begun.', renders.begun),
    counter(
      'signalfjord_renders_refused_total',
      'Places that were refused, or given up after a while.',
      renders.refused,
    ),
  ];
}

/**
 * Reads the queues; none when the database does not answer in time: the figures of the process are wanted then most of
 * all.
 */
async function readQueues(backend: Backend): Promise<Metric[]> {
  const late = new Promise<null>((resolve) => setTimeout(resolve, DEADLINE_MS, null).unref());
  const figures = await Promise.race([backend.figures().catch(() => null), late]);
  if (!figures) return [];
  const { mails, failedMails, webhooks, deletedFiles, pictures, oldestMailSeconds } = figures;
  const lengths = { mails, webhooks, deleted_files: deletedFiles, pictures };
  return [
    {
      name: 'signalfjord_queue_length',
      help: 'What is due and not done. Pictures are those of this process, the others those of all copies.',
      type: 'gauge',
      samples: Object.entries(lengths).map(([queue, value]) => ({ labels: { queue }, value })),
    },
    gauge('signalfjord_oldest_mail_seconds', 'For how long the oldest unsent mail has been due.', oldestMailSeconds),
    gauge('signalfjord_failed_mails', 'Mails of the last 30 days that were given up.', failedMails),
  ];
}

function loadMetrics(backend: Backend | null): Metric[] {
  const load = backend?.database.load?.();
  if (!load) return [];
  return [
    gauge('signalfjord_database_connections', 'Connections that this process may use.', load.connections),
    gauge('signalfjord_database_working', 'Pieces of work that have one.', load.working),
    gauge('signalfjord_database_waiting', 'Pieces of work that wait for one.', load.waiting),
    counter(
      'signalfjord_database_refused_total',
      'Pieces of work that would have waited too long for one.',
      load.refused,
    ),
  ];
}

function connectionMetrics(connections: OpenConnections): Metric[] {
  const { open, refused } = connections.figures();
  return [
    gauge('signalfjord_connections', 'Connections that are open.', open),
    counter('signalfjord_connections_refused_total', 'Connections beyond the bound of their network.', refused),
  ];
}

function heldMetrics(held: HeldBytes): Metric[] {
  const { bytes, ended } = held.figures();
  return [
    {
      name: 'signalfjord_held_bytes',
      help: 'Bodies of requests in memory, and answers that nobody has taken yet.',
      type: 'gauge',
      samples: Object.entries(bytes).map(([kind, value]) => ({ labels: { kind }, value })),
    },
    {
      name: 'signalfjord_held_ended_total',
      help: 'Bodies and answers that were ended: they stood still for too long (late), or others needed the room.',
      type: 'counter',
      samples: Object.entries(ended).flatMap(([kind, counts]) =>
        Object.entries(counts).map(([reason, value]) => ({ labels: { kind, reason }, value })),
      ),
    },
  ];
}
