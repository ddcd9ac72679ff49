/** The rows and the file of a version behind the link in a mail, for the browser that opened it. */
import { keepPreviousData, mutationOptions, queryOptions } from '@tanstack/react-query';
import { z } from 'zod';
import { browserApiEndpoint } from '../../api/api-endpoint.ts';
import { PAGE_SIZE, pageRange } from '../../api/paging.ts';
import { publicApi } from '../../api/visitor-api.ts';
import { holder } from './approval-link.ts';

const KEY = ['approval-link'];

interface RowsShown {
  search: string | undefined;
  /** From 1. */
  page: number;
}

/** Reads a page of the rows of the list that a link is to, for the browser that opened it. */
export function linkedRowsQuery(token: string, { search, page }: RowsShown) {
  return queryOptions({
    staleTime: 0,
    queryKey: [...KEY, 'rows', token, search, page],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const [_offset] = pageRange(page);
      const asked = { _token: token, _holder: holder(), _search: search ?? '', _limit: PAGE_SIZE, _offset };
      const { data } = await (await publicApi()).rpc('list_rows_by_link', asked).abortSignal(signal).throwOnError();
      return { items: data, count: data[0]?.total ?? 0 };
    },
  });
}

interface LinkVeto {
  token: string;
  /** A row, or a company with all its rows. */
  target: { line: number } | { domain: string };
  /** Puts back what was taken off. */
  isBack: boolean;
}

/** Takes rows off the list that a link is to, or puts them back. */
export const vetoByLinkMutation = mutationOptions({
  mutationFn: async ({ token, target, isBack }: LinkVeto) => {
    const rows = 'line' in target ? { _lines: [target.line] } : { _domain: target.domain };
    const given = { _token: token, _holder: holder(), _is_back: isBack, ...rows };
    await (await publicApi()).rpc('veto_by_link', given).throwOnError();
  },
  onSettled: (_data, _error, _given, _result, { client }) => client.invalidateQueries({ queryKey: KEY }),
});

/** For as long as somebody looks at a page. */
const SIGNED_SECONDS = 60 * 60;

/** Reads an address under which the file of a link opens for an hour. The header shows the storage service the link. */
export function linkedFileQuery(token: string, objectName: string) {
  return queryOptions({
    staleTime: (SIGNED_SECONDS / 2) * 1000,
    queryKey: [...KEY, 'file', token],
    queryFn: async ({ signal }): Promise<string> => {
      const { url, publishableKey } = browserApiEndpoint();
      const path = objectName.split('/').map(encodeURIComponent).join('/');
      const response = await fetch(`${url}/storage/v1/object/sign/client-files/${path}`, {
        method: 'POST',
        headers: {
          apikey: publishableKey,
          'content-type': 'application/json',
          'x-approval-link': `${token}/${holder()}`,
        },
        body: JSON.stringify({ expiresIn: SIGNED_SECONDS }),
        signal,
      });
      if (!response.ok) throw new Error('The file could not be loaded.');
      const { signedURL } = z.object({ signedURL: z.string() }).parse(await response.json());
      return `${url}/storage/v1${signedURL}`;
    },
  });
}

/** Reads the beginning of a file of text. */
export function linkedBeginningQuery(address: string) {
  return queryOptions({
    queryKey: [...KEY, 'beginning', address],
    queryFn: async ({ signal }) => {
      const response = await fetch(address, { signal });
      if (!response.ok) throw new Error('The file could not be loaded.');
      return (await response.text()).slice(0, 20_000);
    },
  });
}
