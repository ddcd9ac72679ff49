/** Pictures and other files of the site, in the storage bucket that visitors may read. */
import { keepPreviousData, mutationOptions, queryOptions } from '@tanstack/react-query';
import { sessionApi } from './api.ts';
import type { Database } from './database.types.ts';
import { PAGE_SIZE, pageRange } from './paging.ts';
import { sendFile } from './send-file.ts';
import type { UploadOptions } from './upload.ts';

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
 * @throws UploadRefusal with the server's message; Error; the signal's reason when it was cancelled
 */
export async function uploadMedia(file: File, folder = '', options: UploadOptions = {}): Promise<string> {
  const name = await sendFile(MEDIA_BUCKET, folder, file, options);
  return contentAddress((await sessionApi()).storage.from(MEDIA_BUCKET).getPublicUrl(name).data.publicUrl);
}

/** An address without the origin when the site serves it itself, so that content survives a move. */
export function contentAddress(url: string): string {
  return url.startsWith(`${window.location.origin}/`) ? url.slice(window.location.origin.length) : url;
}
