/** Client files in a separate bucket. Row-level security limits access. Files are immutable. */
import { keepPreviousData, mutationOptions, queryOptions } from '@tanstack/react-query';
import {
  changeAsSignedIn,
  openApi,
  readAsSignedIn,
  readPageAsSignedIn,
  reloadOnSettled,
} from '../../api/as-signed-in.ts';
import { sendFile } from '../../media/send-file.ts';
import { CLIENTS_KEY } from '../clients.ts';

const BUCKET = 'client-files';
const KEY = ['client-files'];
const MAX_BYTES = 25 * 1024 * 1024;

/** Lifetime of signed URLs, longer than a typical page view. */
const URL_LIFETIME_SECONDS = 60 * 60;

/** MIME types allowed in the bucket, as an `accept` attribute. */
export const ACCEPTED = 'image/*,application/pdf,text/csv,text/plain';

/** File metadata for display. `name` is the original file name. */
export interface FileInfo {
  object_name: string;
  name: string;
  mimetype: string;
  /** Bytes. */
  size: number;
}

/** Reads a page (1-based) of a client's files, newest first. */
export function filesQuery(clientId: string, page: number) {
  return queryOptions({
    staleTime: 0,
    queryKey: [...KEY, 'list', clientId, page],
    placeholderData: keepPreviousData,
    queryFn: readPageAsSignedIn(page, (api) =>
      api
        .from('client_files')
        .select('id, object_name, name, mimetype, size, created_at', { count: 'exact' })
        .eq('client_id', clientId)
        .order('created_at', { ascending: false })
        .order('id'),
    ),
  });
}

/** Reads a client's newest files, for a select. */
export function newestFilesQuery(clientId: string) {
  return queryOptions({
    staleTime: 0,
    queryKey: [...KEY, 'newest', clientId],
    queryFn: readAsSignedIn((api) =>
      api
        .from('client_files')
        .select('id, name, created_at')
        .eq('client_id', clientId)
        .order('created_at', { ascending: false })
        .limit(100),
    ),
  });
}

/** Returns a signed URL of the file, valid for one hour. */
export function signedUrlQuery(objectName: string) {
  return queryOptions({
    staleTime: (URL_LIFETIME_SECONDS / 2) * 1000,
    queryKey: [...KEY, 'address', objectName],
    queryFn: async (context) => signUrl(await openApi(context), objectName),
  });
}

/** Reads the start of a text file. */
export function fileStartQuery(objectName: string) {
  return queryOptions({
    staleTime: Number.POSITIVE_INFINITY,
    queryKey: [...KEY, 'beginning', objectName],
    queryFn: async (context) => {
      const { data, error } = await (await openApi(context)).storage.from(BUCKET).download(objectName);
      if (error) throw error;
      return (await data.text()).slice(0, 20_000);
    },
  });
}

/** Returns a signed URL that downloads the file under its original name. */
export const downloadUrlMutation = mutationOptions({
  mutationFn: async ({ object_name, name }: FileInfo, context) => signUrl(await openApi(context), object_name, name),
});

async function signUrl(
  api: Awaited<ReturnType<typeof openApi>>,
  objectName: string,
  download?: string,
): Promise<string> {
  const options = download === undefined ? {} : { download };
  const { data, error } = await api.storage.from(BUCKET).createSignedUrl(objectName, URL_LIFETIME_SECONDS, options);
  if (error) throw error;
  return data.signedUrl;
}

/**
 * Uploads a file for a client.
 * @returns object name of the file
 * @throws Error with a message for the user if the file is too large or rejected
 */
export async function uploadClientFile({ clientId, file }: { clientId: string; file: File }): Promise<string> {
  if (file.size > MAX_BYTES) throw new Error('This file is larger than 25 MB.');
  return sendFile({ bucket: BUCKET, folder: `${clientId}/`, file, metadata: { name: file.name } }, {});
}

export const uploadClientFileMutation = mutationOptions({ mutationFn: uploadClientFile, ...reloadOnSettled(KEY) });

/** Sets an image file as the client's logo, or removes the logo. */
export const setLogoMutation = mutationOptions({
  mutationFn: changeAsSignedIn((api, { clientId, id }: { clientId: string; id: string | null }) =>
    api.rpc('set_client_logo', { _client_id: clientId, ...(id !== null && { _file_id: id }) }),
  ),
  ...reloadOnSettled(KEY, CLIENTS_KEY),
});

export const deleteFileMutation = mutationOptions({
  mutationFn: changeAsSignedIn((api, { clientId, id }: { clientId: string; id: string }) =>
    api.rpc('delete_client_file', { _client_id: clientId, _file_id: id }),
  ),
  ...reloadOnSettled(KEY, CLIENTS_KEY),
});
