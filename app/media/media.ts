/** Pictures and other files of the site, in a public storage bucket. */
import { keepPreviousData, mutationOptions, queryOptions } from '@tanstack/react-query';
import { changeAsSignedIn, readAsSignedIn, reloadOnSettled, reloadOnSuccess } from '../api/as-signed-in.ts';
import type { Database } from '../api/database.types.ts';
import { PAGE_SIZE, pageRange } from '../api/paging.ts';
import { sessionApi } from '../api/visitor-api.ts';
import { askAboutDuplicate, type UploadBatch } from './duplicates.ts';
import { hashFile, MEDIA_BUCKET } from './media-file.ts';
import { sendFile } from './send-file.ts';
import type { UploadOptions } from './upload.ts';

/** Thumbnail width in pixels: twice the card width, for high-density screens. */
const THUMBNAIL_WIDTH = 480;

type MediaRow = Database['public']['Functions']['media_library']['Returns'][number];
export type MediaKind = 'image' | 'video' | 'audio' | 'document';

export interface MediaFile extends Omit<MediaRow, 'total'> {
  /** Display name: the original name, or the object name if unknown. */
  title: string;
  /** Public URL. */
  url: string;
  /** URL of a small rendition. Pictures only. */
  thumbnailUrl: string;
}

export function isPicture({ mimetype }: MediaFile): boolean {
  return mimetype.startsWith('image/');
}

/** URL value for files without a folder. */
export const NO_FOLDER = '-';

export interface MediaLibrarySearch {
  search: string;
  kind?: MediaKind | undefined;
  /** NO_FOLDER for files without a folder. */
  folder?: string | undefined;
  /** True to list only unused files. */
  unused?: boolean | undefined;
  /** 1-based. */
  page: number;
}

/** Reads a page of the library, newest first, and the total count. */
export function mediaLibraryQuery({ search, kind, folder, unused, page }: MediaLibrarySearch) {
  return queryOptions({
    queryKey: ['media', 'library', { search, kind, folder, unused, page }],
    placeholderData: keepPreviousData,
    // The list is refetched on every visit, because other admin forms upload files as well.
    staleTime: 0,
    queryFn: async ({ signal }): Promise<{ items: MediaFile[]; count: number }> => {
      const api = await sessionApi();
      const bucket = api.storage.from(MEDIA_BUCKET);
      const { data } = await api
        .rpc('media_library', {
          _search: search,
          _kind: kind ?? '',
          _folder: folder ?? '',
          _unused: unused ?? false,
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

/** Reads the places where a file is used. */
export function mediaUsageQuery(name: string) {
  return queryOptions({
    queryKey: ['media', 'usage', name],
    staleTime: 0,
    gcTime: 0,
    queryFn: readAsSignedIn((api) => api.rpc('media_usage', { _name: name })),
  });
}

/** Reads the name and size of the original picture. Null if it was not kept. */
export function mediaOriginalQuery(name: string) {
  return queryOptions({
    queryKey: ['media', 'original', name],
    queryFn: async ({ signal }): Promise<{ name: string; size: number } | null> => {
      const api = await sessionApi();
      const { data } = await api.rpc('media_original', { _name: name }).abortSignal(signal).throwOnError();
      return data[0] ?? null;
    },
  });
}

/** Downloads an original under its original name, through a signed URL that is valid for one minute. */
export const downloadOriginalMutation = mutationOptions({
  mutationKey: ['media', 'download original'],
  mutationFn: async ({ name, title }: { name: string; title: string }): Promise<void> => {
    const originals = (await sessionApi()).storage.from('media-originals');
    const { data, error } = await originals.createSignedUrl(name, 60, { download: title });
    if (error) throw error;
    window.location.assign(data.signedUrl);
  },
});

/** Reads all folder names. Folders without files do not exist. */
export const mediaFoldersQuery = queryOptions({
  queryKey: ['media', 'folders'],
  staleTime: 0,
  queryFn: readAsSignedIn((api) => api.rpc('media_folders')),
});

/** Sets the alt text of a picture. */
export const setMediaAltMutation = mutationOptions({
  mutationKey: ['media', 'alt'],
  mutationFn: changeAsSignedIn((api, { name, alt }: { name: string; alt: string }) =>
    api.rpc('set_media_alt', { _name: name, _alt: alt }),
  ),
  ...reloadOnSuccess(['media', 'library']),
});

/** Sets the focal point of a picture, each coordinate from 0 to 1. Null for the centre. */
export const setFocalPointMutation = mutationOptions({
  mutationKey: ['media', 'focus'],
  mutationFn: async ({ name, focus }: { name: string; focus: FocalPoint | null }): Promise<void> => {
    const api = await sessionApi();
    // The generated type omits null.
    const point = { _x: focus?.x ?? null, _y: focus?.y ?? null } as { _x: number; _y: number };
    await api.rpc('set_media_focus', { _name: name, ...point }).throwOnError();
  },
  ...reloadOnSuccess(['media', 'library']),
});

/** Position from the top left, from 0 to 1. */
export interface FocalPoint {
  x: number;
  y: number;
}

/**
 * Moves files to a folder. '' removes them from their folder.
 * @returns the number of moved files
 */
export const moveMediaMutation = mutationOptions({
  mutationKey: ['media', 'move'],
  mutationFn: changeAsSignedIn((api, { names, folder }: { names: string[]; folder: string }) =>
    api.rpc('move_media', { _names: names, _folder: folder }),
  ),
  ...reloadOnSuccess(['media']),
});

/** Deletes files. Has no effect on files that are already deleted. */
export const deleteMediaMutation = mutationOptions({
  mutationKey: ['media', 'delete'],
  mutationFn: removeMedia,
  ...reloadOnSuccess(['media']),
});

async function removeMedia(names: string[]): Promise<void> {
  const { error } = await (await sessionApi()).storage.from(MEDIA_BUCKET).remove(names);
  if (error) throw error;
}

/**
 * Uploads a file and replaces the old file with it wherever it is used.
 * @returns the number of places in which the old file was replaced
 */
export const replaceMediaMutation = mutationOptions({
  mutationKey: ['media', 'replace'],
  mutationFn: async ({
    oldFile,
    file,
    deletesOld,
  }: {
    oldFile: MediaFile;
    file: File;
    deletesOld: boolean;
  }): Promise<number> => {
    const { name, isNew } = await storeMedia(file);
    const api = await sessionApi();
    const { data: placeCount, error } = await api.rpc('replace_media', { _name: oldFile.name, _by: name });
    if (error) {
      // Remove the new file if replacing failed.
      if (isNew) await removeMedia([name]).catch(() => undefined);
      throw error;
    }
    if (deletesOld) await removeMedia([oldFile.name]);
    return placeCount;
  },
  ...reloadOnSettled(['media']),
});

/**
 * Uploads a picture for a form.
 * @returns its public URL as stored in content
 */
export function uploadPictureMutation(folder = '') {
  return mutationOptions({
    mutationKey: ['media', 'upload', folder],
    mutationFn: (file: File) => uploadMedia(file, folder),
  });
}

/**
 * Uploads a file under a random name with its own extension. Its original name remains searchable. For duplicates, the
 * user is asked which file to use.
 * @param prefix path in the bucket, with a trailing slash
 * @returns its public URL as stored in content. See contentUrl
 * @throws UserError with the server's message, Error, or the reason of the abort signal
 */
export async function uploadMedia(file: File, prefix = '', options: MediaUploadOptions = {}): Promise<string> {
  const { name } = await storeMedia(file, prefix, options);
  return contentUrl((await sessionApi()).storage.from(MEDIA_BUCKET).getPublicUrl(name).data.publicUrl);
}

interface MediaUploadOptions extends UploadOptions {
  /** Target folder in the library. */
  folder?: string | undefined;
  /** Files that the user chose in the same step. */
  batch?: UploadBatch | undefined;
  /** True to keep the original in addition to the converted picture. */
  keepsOriginal?: boolean | undefined;
}

async function storeMedia(
  file: File,
  prefix = '',
  { folder, batch, keepsOriginal, ...options }: MediaUploadOptions = {},
) {
  const sha256 = await hashFile(file);
  const match = sha256 && (await findDuplicate(sha256, options.signal));
  if (match && (await askAboutDuplicate({ file, title: match.original_name || match.name, batch })) === 'existing')
    return { name: match.name, isNew: false };
  const metadata = {
    original_name: file.name,
    ...(sha256 && { sha256 }),
    ...(folder && { folder }),
    ...(keepsOriginal && { keep_original: true }),
  };
  return { name: await sendFile({ bucket: MEDIA_BUCKET, folder: prefix, file, metadata }, options), isNew: true };
}

async function findDuplicate(sha256: string, signal?: AbortSignal) {
  const request = (await sessionApi()).rpc('find_media', { _sha256: sha256 });
  // Ignore errors. The upload fails for the same reason and reports it.
  const { data } = await (signal ? request.abortSignal(signal) : request);
  return data?.[0];
}

/**
 * Removes the origin of URLs served by the site itself, so that they stay valid if the site moves to another domain.
 */
export function contentUrl(url: string): string {
  return url.startsWith(`${window.location.origin}/`) ? url.slice(window.location.origin.length) : url;
}
