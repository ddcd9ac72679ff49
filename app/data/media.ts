/** Pictures and other files of the site, in the storage bucket that visitors may read. */
import { keepPreviousData, mutationOptions, queryOptions } from '@tanstack/react-query';
import { sessionApi } from './api.ts';
import { browserApiEndpoint } from './api-endpoint.ts';
import type { Database } from './database.types.ts';
import { PAGE_SIZE, pageRange } from './paging.ts';
import { explainRefusal } from './refused-writes.ts';

const MEDIA_BUCKET = 'content-media';

/** Twice the width of a card, for sharp screens. */
const THUMBNAIL_WIDTH = 480;

type MediaRow = Database['public']['Functions']['media_library']['Returns'][number];
export type MediaUsage = Database['public']['Functions']['media_usage']['Returns'][number];
export type MediaKind = 'image' | 'video' | 'audio' | 'document';

export interface MediaFile extends Omit<MediaRow, 'total'> {
  /** What people know the file by: its own name, or where that is unknown the one it has in the bucket. */
  title: string;
  /** The full public address. */
  url: string;
  /** The address of a small rendition. Pictures only. */
  thumbnailUrl: string;
}

export function isPicture({ mimetype }: MediaFile): boolean {
  return mimetype.startsWith('image/');
}

export interface MediaLibrarySearch {
  search: string;
  kind?: MediaKind | undefined;
  /** From 1. */
  page: number;
}

/** A page of the library, the newest files first, and how many files there are. */
export function mediaLibraryQuery({ search, kind, page }: MediaLibrarySearch) {
  return queryOptions({
    queryKey: ['media', 'library', { search, kind, page }],
    placeholderData: keepPreviousData,
    // Files also come from the forms of the admin area.
    staleTime: 0,
    queryFn: async ({ signal }): Promise<{ items: MediaFile[]; count: number }> => {
      const api = await sessionApi();
      const bucket = api.storage.from(MEDIA_BUCKET);
      const { data } = await api
        .rpc('media_library', {
          _search: search,
          _kind: kind ?? '',
          _limit: PAGE_SIZE,
          _offset: pageRange(page)[0],
        })
        .abortSignal(signal)
        .throwOnError();
      const items = data.map(({ total, ...file }) => ({
        ...file,
        title: file.original_name || file.name,
        url: bucket.getPublicUrl(file.name).data.publicUrl,
        thumbnailUrl: bucket.getPublicUrl(file.name, { transform: { width: THUMBNAIL_WIDTH } }).data.publicUrl,
      }));
      return { items, count: data[0]?.total ?? 0 };
    },
  });
}

/** Where a file is used, as of now. */
export function mediaUsageQuery(name: string) {
  return queryOptions({
    queryKey: ['media', 'usage', name],
    staleTime: 0,
    gcTime: 0,
    queryFn: async ({ signal }): Promise<MediaUsage[]> => {
      const api = await sessionApi();
      return (await api.rpc('media_usage', { _name: name }).abortSignal(signal).throwOnError()).data;
    },
  });
}

/** Describes a picture for those who cannot see it. */
export const setMediaAltMutation = mutationOptions({
  mutationKey: ['media', 'alt'],
  mutationFn: async ({ name, alt }: { name: string; alt: string }): Promise<void> => {
    const api = await sessionApi();
    await api.rpc('set_media_alt', { _name: name, _alt: alt }).throwOnError();
  },
  onSuccess: (_nothing, _file, _result, { client }) => client.invalidateQueries({ queryKey: ['media', 'library'] }),
});

/** Deletes a file for good; deleting what is gone already succeeds. */
export const deleteMediaMutation = mutationOptions({
  mutationKey: ['media', 'delete'],
  mutationFn: async (name: string): Promise<void> => {
    const { error } = await (await sessionApi()).storage.from(MEDIA_BUCKET).remove([name]);
    if (error) throw error;
  },
  onSuccess: (_nothing, _name, _result, { client }) => client.invalidateQueries({ queryKey: ['media', 'library'] }),
});

interface UploadOptions {
  /** Is told how much is sent, from 0 to 1. */
  onProgress?: (share: number) => void;
  signal?: AbortSignal;
}

/** Uploads a picture for a form. @returns its public address as content keeps it */
export function uploadPictureMutation(folder = '') {
  return mutationOptions({
    mutationKey: ['media', 'upload', folder],
    mutationFn: (file: File) => uploadMedia(file, folder),
  });
}

/**
 * Uploads a file under a random name with its own extension; what it was called stays findable.
 * @returns its public address as content keeps it, see contentAddress
 * @throws Error with the server's message; the signal's reason when it was cancelled
 */
export async function uploadMedia(file: File, folder = '', options: UploadOptions = {}): Promise<string> {
  const api = await sessionApi();
  const name = folder + randomName(file.name);
  const { data } = await api.auth.getSession();
  await sendAsSignedIn(name, file, data.session?.access_token, options);
  return contentAddress(api.storage.from(MEDIA_BUCKET).getPublicUrl(name).data.publicUrl);
}

/** An address without the origin when the site serves it itself, so that content survives a move. */
export function contentAddress(url: string): string {
  return url.startsWith(`${window.location.origin}/`) ? url.slice(window.location.origin.length) : url;
}

/** Sends it once more when the session had ended and the person has signed in again. */
async function sendAsSignedIn(name: string, file: File, token: string | undefined, options: UploadOptions) {
  try {
    await send(name, file, token, options);
  } catch (error) {
    if (!(error instanceof UploadRefusal)) throw error;
    const explanation = await explainRefusal(token);
    if (explanation.cause === 'other') throw error;
    if (explanation.cause === 'refused') throw new Error(explanation.sentence);
    await sendAsSignedIn(name, file, explanation.accessToken, options);
  }
}

/** The server's answer to an upload that it does not take. */
class UploadRefusal extends Error {}

/** What the storage client sends, by XMLHttpRequest: fetch() cannot tell how far an upload is. */
function send(name: string, file: File, token: string | undefined, { onProgress, signal }: UploadOptions) {
  const { url, publishableKey } = browserApiEndpoint();
  const form = new FormData();
  form.append('cacheControl', '3600');
  form.append('metadata', JSON.stringify({ original_name: file.name }));
  form.append('', file);
  return new Promise<void>((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const request = new XMLHttpRequest();
    request.open('POST', `${url}/storage/v1/object/${MEDIA_BUCKET}/${name}`);
    request.setRequestHeader('apikey', publishableKey);
    request.setRequestHeader('authorization', `Bearer ${token ?? publishableKey}`);
    request.setRequestHeader('x-upsert', 'false');
    request.upload.onprogress = ({ loaded, total }) => onProgress?.(total > 0 ? loaded / total : 0);
    request.onload = () =>
      request.status < 300 ? resolve() : reject(new UploadRefusal(messageIn(request.responseText, request.status)));
    request.onerror = () => reject(new Error('The connection broke off.'));
    request.onabort = () => reject(signal?.reason);
    signal?.addEventListener('abort', () => request.abort(), { once: true });
    request.send(form);
  });
}

function messageIn(answer: string, status: number): string {
  try {
    const { message, details }: { message?: unknown; details?: unknown } = JSON.parse(answer);
    if (typeof message === 'string') return typeof details === 'string' ? `${message}: ${details}` : message;
  } catch {
    // A proxy in between may answer with a page of its own.
  }
  return `The server answered with status ${status}.`;
}

/** randomUUID() is missing where a site is served without TLS, getRandomValues() is not. */
function randomName(originalName: string): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const name = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  const extension = /\.([a-z0-9]{1,10})$/i.exec(originalName)?.[1];
  return extension ? `${name}.${extension.toLowerCase()}` : name;
}
