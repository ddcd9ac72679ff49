/** Items opened through an email link, without a session. */
import { queryOptions } from '@tanstack/react-query';
import { publicApi } from '../api/visitor-api.ts';
import { browserSecret } from './browser-secret.ts';

interface LinkedItem<Item extends object> {
  queryKey: readonly string[];
  token: string;
  open: 'open_lead_link' | 'open_result_link';
  /** Parses the response. Loaded on demand, because zod adds 24 kB. */
  read: (response: unknown) => Promise<Item>;
}

/** Reads the linked item, or the reason for not showing it. Not refetched on focus, because reads are rate-limited. */
export function linkedItemQuery<Item extends object>({ queryKey, token, open, read }: LinkedItem<Item>) {
  return queryOptions({
    staleTime: 0,
    refetchOnWindowFocus: false,
    queryKey: [...queryKey, token],
    queryFn: async ({ signal }) => {
      const api = await publicApi();
      const args = { _token: token, _holder: browserSecret() };
      const { data } = await api.rpc(open, args).abortSignal(signal).throwOnError();
      return isRefusal(data) ? data : read(data);
    },
  });
}

/** Checks without zod, so that an invalid link does not load zod. */
function isRefusal(data: unknown): data is { refusal: string } {
  return typeof data === 'object' && data !== null && 'refusal' in data && typeof data.refusal === 'string';
}
