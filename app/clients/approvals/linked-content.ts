/** Rows and files of a version opened through an email link. */
import { keepPreviousData, mutationOptions, queryOptions } from '@tanstack/react-query';
import { z } from 'zod';
import { browserApiEndpoint } from '../../api/api-endpoint.ts';
import { PAGE_SIZE, pageRange } from '../../api/paging.ts';
import { publicApi } from '../../api/visitor-api.ts';
import { browserSecret } from '../browser-secret.ts';

const KEY = ['approval-link'];

interface RowFilters {
  search: string | undefined;
  /** Starts at 1. */
  page: number;
}

/** Reads a page of rows through an email link. */
export function linkedRowsQuery(token: string, { search, page }: RowFilters) {
  return queryOptions({
    staleTime: 0,
    queryKey: [...KEY, 'rows', token, search, page],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const [_offset] = pageRange(page);
      const args = { _token: token, _holder: browserSecret(), _search: search ?? '', _limit: PAGE_SIZE, _offset };
      const { data } = await (await publicApi()).rpc('list_rows_by_link', args).abortSignal(signal).throwOnError();
      return { items: data, count: data[0]?.total ?? 0 };
    },
  });
}

interface LinkVeto {
  token: string;
  /** A single row, or all rows of a company. */
  target: { line: number } | { domain: string };
  /** True to restore the rows instead of removing them. */
  isRestoring: boolean;
}

/** Removes or restores rows through an email link. */
export const vetoByLinkMutation = mutationOptions({
  mutationFn: async ({ token, target, isRestoring }: LinkVeto) => {
    const rows = 'line' in target ? { _lines: [target.line] } : { _domain: target.domain };
    const args = { _token: token, _holder: browserSecret(), _restore: isRestoring, ...rows };
    await (await publicApi()).rpc('veto_by_link', args).throwOnError();
  },
  onSettled: (_data, _error, _variables, _result, { client }) => client.invalidateQueries({ queryKey: KEY }),
});

/** Lifetime of the signed URL, longer than a typical page view. */
const URL_LIFETIME_SECONDS = 60 * 60;

/** Returns a signed URL of the file, valid for one hour. The storage policy checks the link token in the header. */
export function linkedFileQuery(token: string, objectName: string) {
  return queryOptions({
    staleTime: (URL_LIFETIME_SECONDS / 2) * 1000,
    queryKey: [...KEY, 'file', token],
    queryFn: async ({ signal }): Promise<string> => {
      const { url, publishableKey } = browserApiEndpoint();
      const path = objectName.split('/').map(encodeURIComponent).join('/');
      const response = await fetch(`${url}/storage/v1/object/sign/client-files/${path}`, {
        method: 'POST',
        headers: {
          apikey: publishableKey,
          'content-type': 'application/json',
          'x-approval-link': `${token}/${browserSecret()}`,
        },
        body: JSON.stringify({ expiresIn: URL_LIFETIME_SECONDS }),
        signal,
      });
      if (!response.ok) throw new Error('The file could not be loaded.');
      const { signedURL } = z.object({ signedURL: z.string() }).parse(await response.json());
      return `${url}/storage/v1${signedURL}`;
    },
  });
}

/** Reads the start of a text file. */
export function linkedFileStartQuery(url: string) {
  return queryOptions({
    queryKey: [...KEY, 'beginning', url],
    queryFn: async ({ signal }) => {
      const response = await fetch(url, { signal });
      if (!response.ok) throw new Error('The file could not be loaded.');
      return (await response.text()).slice(0, 20_000);
    },
  });
}
