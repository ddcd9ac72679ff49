/** Figures of visits, as the dashboard shows them. */
import { queryOptions } from '@tanstack/react-query';
import { z } from 'zod';
import { sessionApi } from '../api/visitor-api.ts';

const report = z.object({
  /** True when visits are counted at present; earlier counts are there either way. */
  is_counting: z.boolean(),
  /** Every day of the last 30 (UTC), the oldest first. */
  days: z.array(
    z.object({
      day: z.iso.date(),
      views: z.number(),
      chats: z.number(),
      leads: z.number(),
      bookings: z.number(),
    }),
  ),
  /** The most viewed pages. Of `reads` views it is known for how many seconds the article was shown in all. */
  pages: z.array(z.object({ path: z.string(), views: z.number(), reads: z.number(), seconds: z.number() })),
  /** Hosts that led here; '' for visits that nothing led here, 'other' for hosts that are not told apart. */
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
  // Counted on while the screen is not looked at.
  staleTime: 0,
});
