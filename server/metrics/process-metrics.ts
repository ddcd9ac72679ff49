/** Metrics of the process and its machine, by the names that Prometheus clients for Node use. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { counter, gauge, type Metric } from './exposition.ts';

const INTERVAL_MS = 10;

/** @returns what reads the figures; the event-loop delay is that since the last reading */
export function watchProcess(): () => Metric[] {
  const delay = monitorEventLoopDelay({ resolution: INTERVAL_MS });
  delay.enable();
  const startedAt = Date.now() / 1000 - process.uptime();
  // The histogram measures the time from one tick to the next.
  const seconds = (nanoseconds: number) => Math.max(0, nanoseconds / 1e9 - INTERVAL_MS / 1000) || 0;
  return () => {
    const { rss, heapUsed, heapTotal, external } = process.memoryUsage();
    const { user, system } = process.cpuUsage();
    const metrics = [
      counter('process_cpu_seconds_total', 'Processor time.', (user + system) / 1e6),
      gauge('process_start_time_seconds', 'When the process began, in seconds since 1970.', startedAt),
      gauge('process_resident_memory_bytes', 'Memory of the process, the embedded database included.', rss),
      gauge('nodejs_heap_size_used_bytes', 'JavaScript memory in use, without that of the database.', heapUsed),
      gauge('nodejs_heap_size_total_bytes', 'JavaScript memory taken from the machine.', heapTotal),
      gauge('nodejs_external_memory_bytes', 'Memory of buffers.', external),
      gauge('nodejs_eventloop_lag_mean_seconds', 'Mean delay of the event loop.', seconds(delay.mean)),
      gauge('nodejs_eventloop_lag_p99_seconds', '99th percentile of that delay.', seconds(delay.percentile(99))),
      gauge('nodejs_eventloop_lag_max_seconds', 'The longest of them.', seconds(delay.max)),
    ];
    delay.reset();
    return metrics;
  };
}
