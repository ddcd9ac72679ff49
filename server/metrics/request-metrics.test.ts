import { expect, test } from 'vitest';
import { RequestMetrics } from './request-metrics.ts';

test('Requests are counted by method, route and status, and duration buckets are cumulative', async () => {
  const metrics = new RequestMetrics();
  metrics.record('GET', '/', 200, 0.0005);
  metrics.record('GET', '/', 304, 0.003);
  metrics.record('GET', '/', 200, 0.5);
  metrics.record('GET', '/', 499, 60);
  metrics.record('PROPFIND', '/', 405, 0.001);
  const lines = (await metrics.registry.metrics()).split('\n');
  expect(lines.filter((line) => line.startsWith('http_requests_total'))).toEqual([
    'http_requests_total{method="GET",route="/",status="200"} 2',
    'http_requests_total{method="GET",route="/",status="304"} 1',
    'http_requests_total{method="GET",route="/",status="499"} 1',
    'http_requests_total{method="OTHER",route="/",status="405"} 1',
  ]);
  const gets = lines.filter((line) => line.includes('_seconds_') && line.includes('"GET"'));
  expect(gets.map((line) => line.replace(/^.*seconds(_\w+)\{.*?(?:le="([^"]*)"[^}]*)?\} /, '$1 $2 '))).toEqual([
    '_bucket 0.001 1',
    '_bucket 0.003 2',
    '_bucket 0.01 2',
    '_bucket 0.03 2',
    '_bucket 0.1 2',
    '_bucket 0.3 2',
    '_bucket 1 3',
    '_bucket 3 3',
    '_bucket 10 3',
    '_bucket 30 3',
    '_bucket +Inf 4',
    '_sum  60.5035',
    '_count  4',
  ]);
  expect(lines).toContain('# TYPE http_request_duration_seconds histogram');
});
