/** Visit statistics for the dashboard. */
import { queryOptions } from '@tanstack/react-query';
import { z } from 'zod';
import { sessionApi } from '../api/visitor-api.ts';

const report = z.object({
  /** True if counting is on. Earlier counts remain when it is turned off. */
  is_counting: z.boolean(),
  /** The last 30 days (UTC), oldest first. */
  days: z.array(
    z.object({
      day: z.iso.date(),
      views: z.number(),
      chats: z.number(),
      leads: z.number(),
      bookings: z.number(),
    }),
  ),
  /** Most viewed pages. `seconds` is the total reading time of the `reads` views with a known duration. */
  pages: z.array(z.object({ path: z.string(), views: z.number(), reads: z.number(), seconds: z.number() })),
  /** Referrer hosts. '' is a direct visit, and 'other' is the sum of the remaining hosts. */
  referrers: z.array(z.object({ host: z.string(), visits: z.number() })),
  devices: z.array(z.object({ name: z.enum(['phone', 'tablet', 'desktop']), views: z.number() })),
  publications: z.array(z.object({ day: z.iso.date(), title: z.string(), slug: z.string() })),
});

export type VisitReport = z.output<typeof report>;
export type VisitDay = VisitReport['days'][number];
export type Publication = VisitReport['publications'][number];

export const visitReportQuery = queryOptions({
  queryKey: ['visits'],
  queryFn: async ({ signal }): Promise<VisitReport> => {
    const api = await sessionApi();
    const { data } = await api.rpc('report_visits').abortSignal(signal).throwOnError();
    return report.parse(data);
  },
  // The figures are refetched on every visit, because the counts change continuously.
  staleTime: 0,
});
